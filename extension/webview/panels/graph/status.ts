// The status line of the graph: what is shown, and what is left out.

import * as l10n from '@vscode/l10n';
import type { Graph } from '../../../src/protocol';
import { foundText } from '../../shared/frame/status';
import { extentText } from '../../shared/op/extent';
import { count, duration } from '../../shared/text/format';
import { isWithoutEstimate } from './model/overlays';
import type { Viewer } from './viewer';

/** What a search leaves of the rows of the table; null without either. */
export function rowsText({ state, record, model, tableSearch, rows }: Viewer): string | null {
  const all = state.rows.value === 'nodes' ? record.nodes.length : model.edges.length;
  return state.asTable.value && rows !== null ? foundText(tableSearch, rows, all) : null;
}

export function statusParts(record: Graph, edges: number): readonly (string | null)[] {
  const { nodes, op_time_ps: all_ps, extent, unattributed_ps: unattributed_ps } = record;
  const unknown = nodes.filter(isWithoutEstimate).length;
  return [
    l10n.t(
      '{0}, {1}',
      nodes.length === 1 ? l10n.t('1 node') : l10n.t('{0} nodes', count(nodes.length)),
      edges === 1 ? l10n.t('1 edge') : l10n.t('{0} edges', count(edges)),
    ),
    unknown === 0
      ? null
      : unknown === 1
        ? l10n.t('1 without an estimate')
        : l10n.t('{0} without an estimate', count(unknown)),
    record.left_out === 0
      ? null
      : record.left_out === 1
        ? l10n.t('1 node left out')
        : l10n.t('{0} nodes left out', count(record.left_out)),
    all_ps === null ? extentText(extent) : l10n.t('{0} of op time {1}', duration(all_ps), extentText(extent)),
    unattributed_ps === null || unattributed_ps === 0 ? null : l10n.t('{0} without a line', duration(unattributed_ps)),
    record.level === 'ops' && record.radius !== null ? l10n.t('radius {0}', record.radius) : null,
  ];
}
