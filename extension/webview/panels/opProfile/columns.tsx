// The columns of the Op Profile.

import * as l10n from '@vscode/l10n';
import type { OpProfileRow } from '../../../src/protocol';
import { fullOpName, namedOp, OpName, sortedName } from '../../shared/op/opName';
import { bandwidthColumn, flopUtilisationColumn } from '../../shared/op/utilisation';
import { boundByText, lineText } from '../../shared/op/words';
import { present } from '../../shared/present';
import type { Column } from '../../shared/table/columns';
import { lineColumn, numberColumn, shareColumn, textColumn } from '../../shared/table/kinds';
import { COUNT, FLOPS, TIME } from '../../shared/text/quantities';
import type { ProfileNode } from './tree';
import { knownTime, noEstimate } from '../../shared/op/estimates';

export const TIME_COLUMN = 'share';
export const WASTED_COLUMN = 'wasted';

export function profileColumns(options: {
  readonly whole_ps: number;
  readonly withIdle: boolean;
  /** What idle time is a share of: in a few words, and in full. */
  readonly idle: { readonly whole: string; readonly text: string };
  /** Why there is no peak; null where there is one. */
  readonly utilisationReason: string | null;
  /** What times are over, in words. */
  readonly extent: string;
  /** The rows of the record: what is known of none of them has no column. */
  readonly rows: readonly OpProfileRow[];
}): readonly Column<ProfileNode>[] {
  const { whole_ps: whole, utilisationReason: reason } = options;
  const wholeName = options.withIdle ? l10n.t('op time and idle time') : l10n.t('op time');
  const noPeak = reason ?? l10n.t('Neither FLOPs nor bytes of this op are known.');
  const isKnown = (field: keyof OpProfileRow): boolean => options.rows.some((row) => row[field] !== null);
  return present<Column<ProfileNode>>([
    {
      ...textColumn<ProfileNode>('name', l10n.t('Name'), labelText, {
        width_px: 240,
        least_px: 128,
        fills: 3,
        exact: (node) => (node.kind === 'idle' ? options.idle.text : exactLabel(node)),
        copied: { title: l10n.t('Name'), text: (node) => `${'  '.repeat(node.depth)}${labelText(node)}` },
        cell: (node) => <Name node={node} idleWhole={options.idle.whole} />,
      }),
      value: (node) => (isOp(node) ? sortedName(namedOp(node)) : labelText(node)),
    },
    shareColumn<ProfileNode>(TIME_COLUMN, options.withIdle ? l10n.t('Of all time') : l10n.t('Of op time'), knownTime, {
      meaning: l10n.t('Self time as a share of {0}', wholeName),
      whole,
      isBlank: isElement,
      unknown: noEstimate,
    }),
    numberColumn<ProfileNode>('self', l10n.t('Self'), TIME, knownTime, {
      meaning: l10n.t('Self time {0}', options.extent),
      rank: 3,
      isBlank: isElement,
      unknown: noEstimate,
    }),
    isKnown('wasted_ps')
      ? shareColumn<ProfileNode>(WASTED_COLUMN, l10n.t('Wasted'), (node) => node.wasted_ps, {
          meaning: l10n.t(
            'Self time × (1 − the better of FLOP utilisation and bandwidth utilisation), summed over the ops below, as a share of {0}',
            wholeName,
          ),
          rank: 4,
          whole,
          isBlank: isElement,
          unknown: () => noPeak,
        })
      : null,
    isKnown('flop_utilisation_ratio')
      ? flopUtilisationColumn<ProfileNode>({
          meaning: l10n.t(
            'FLOPs that ran ÷ time ÷ peak of the element type. What is not known below a row counts as nothing',
          ),
          rank: 1,
          reason,
          isBlank: isWithoutUtilisation,
        })
      : null,
    isKnown('bandwidth_utilisation_ratio')
      ? bandwidthColumn<ProfileNode>({
          meaning: l10n.t(
            'Bytes of main memory ÷ time ÷ its bandwidth. What is not known below a row counts as nothing',
          ),
          rank: 2,
          reason,
          isBlank: isWithoutUtilisation,
        })
      : null,
    isKnown('bound_by')
      ? textColumn<ProfileNode>('bound_by', l10n.t('Bound by'), ({ bound_by }) => bound_by, {
          meaning: l10n.t('What limits it by the roofline: compute, or a memory space'),
          rank: 6,
          text: (node) => (isWithoutUtilisation(node) ? '' : boundByText(node.bound_by)),
          exact: (node) =>
            isWithoutUtilisation(node) ? '' : node.bound_by === null ? noPeak : boundByText(node.bound_by),
        })
      : null,
    numberColumn<ProfileNode>('flops', l10n.t('FLOPs'), FLOPS, (node) => node.flops, {
      meaning: l10n.t('FLOPs of all executions'),
      rank: 7,
      isBlank: ({ kind }) => kind === 'idle',
    }),
    numberColumn<ProfileNode>('executions', l10n.t('Executions'), COUNT, ({ executions }) => executions, {
      rank: 8,
      isBlank: ({ executions }) => executions === null,
    }),
    lineColumn<ProfileNode>({ meaning: l10n.t('The line that took most of its time'), rank: 5 }),
  ]);
}

function isOp({ kind }: ProfileNode): boolean {
  return kind === 'op' || kind === 'element';
}

/** A node by its name; those that stand for no op or line, in words. */
export function labelText(node: ProfileNode): string {
  switch (node.kind) {
    case 'total':
      return l10n.t('Total');
    case 'idle':
      return l10n.t('Idle');
    case 'line':
      return node.line === null ? node.label : lineText(node.path, node.line);
    case 'op':
    case 'element':
      return fullOpName(namedOp(node));
    default:
      return node.label;
  }
}

function exactLabel(node: ProfileNode): string {
  if (node.kind === 'more') {
    return l10n.t('What is less expensive than the rows above: open it to see them');
  }
  return isOp(node) && node.category !== '' ? `${labelText(node)}\n${node.category}` : labelText(node);
}

/** An instruction inside a fusion has no time of its own. */
function isElement({ kind }: ProfileNode): boolean {
  return kind === 'element';
}

function isWithoutUtilisation({ kind }: ProfileNode): boolean {
  return kind === 'element' || kind === 'idle' || kind === 'more';
}

function Name(props: { readonly node: ProfileNode; readonly idleWhole: string }) {
  const { node } = props;
  const text = labelText(node);
  switch (node.kind) {
    case 'op':
    case 'element':
      return <OpName op={namedOp(node)} />;
    case 'more':
      return <span class="text quiet">{text}</span>;
    case 'idle':
      return <span class="text quiet">{l10n.t('{0}, {1}', text, props.idleWhole)}</span>;
    default:
      return <span class="text">{text}</span>;
  }
}
