// The table twin of the picture: its nodes, those of opened groups below them, and its edges.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { Graph, GraphEdge, GraphNode } from '../../../src/protocol';
import { usePage } from '../../shared/page/page';
import { perStep } from '../../shared/op/extent';
import { noEstimate } from '../../shared/op/estimates';
import { functionText } from '../../shared/op/words';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { lineColumn, numberColumn, shareColumn, textColumn } from '../../shared/table/kinds';
import { Table } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { dotted } from '../../shared/text/format';
import { phaseName } from '../../shared/text/phases';
import { BYTES, COUNT, RATIO, TIME } from '../../shared/text/quantities';
import { menuOf } from './menu';
import type { GraphModel } from './model/model';
import { compatibilityText, isWithoutEstimate } from './model/overlays';
import { badgesOf, isOp, subtitleOf, titleOf } from './model/words';
import type { Viewer } from './viewer';

export function Tables({ viewer }: { readonly viewer: Viewer }) {
  return viewer.state.rows.value === 'nodes' ? <NodeTable viewer={viewer} /> : <EdgeTable viewer={viewer} />;
}

function NodeTable({ viewer }: { readonly viewer: Viewer }) {
  const page = usePage();
  const { model, record } = viewer;
  const tree = useMemo(() => treeOf(model), [model]);
  const columns = useMemo(() => nodeColumns(model, record), [model, record]);
  const state = tableState(page.saved, 'nodes', { column: 'time', descending: true }, [...model.groups]);
  const table = { ...state, selected: viewer.state.selected };
  return (
    <Table
      label={l10n.t('Nodes of the graph')}
      columns={columns}
      compared={viewer.compared?.rows ?? null}
      state={table}
      roots={tree.roots}
      keyOf={({ key }) => key}
      childrenOf={tree.childrenOf}
      search={viewer.tableSearch}
      onArranged={(shown) => viewer.countRows(shown.length)}
      onSelect={viewer.select}
      onOpen={(node) => page.host.goToLineOf(node)}
      menuOf={(node) => menuOf(page, viewer, node)}
    />
  );
}

function treeOf({ nodes, groups }: GraphModel) {
  const below = new Map<string, GraphNode[]>();
  const roots: GraphNode[] = [];
  for (const node of nodes) {
    if (node.parent === null || !groups.has(node.parent)) {
      roots.push(node);
    } else {
      below.set(node.parent, [...(below.get(node.parent) ?? []), node]);
    }
  }
  return { roots, childrenOf: ({ key }: GraphNode): readonly GraphNode[] => below.get(key) ?? NONE };
}

const NONE: readonly GraphNode[] = [];

function nodeColumns(model: GraphModel, { level, op_time_ps }: Graph): readonly Column<GraphNode>[] {
  const { nodes, extent } = model;
  const isOfLines = level === 'lines';
  return [
    textColumn('name', l10n.t('Node'), (node) => [titleOf(node), ...badgesOf(node)].join(' '), {
      width_px: 240,
      least_px: 128,
      fills: 2,
      exact: ({ name }) => name,
    }),
    // A line is there once for each of its phases; ops of one kind are told apart by their line, and what XLA named them.
    ...(isOfLines
      ? [
          textColumn<GraphNode>(
            'phase',
            l10n.t('Phase · function'),
            (node) => phaseText(node, functionText(node.function)),
            {
              width_px: 160,
              least_px: 96,
            },
          ),
          lineColumn<GraphNode>({ rank: 7 }),
        ]
      : [
          lineColumn<GraphNode>({ least_px: 88 }),
          textColumn<GraphNode>('phase', l10n.t('Phase'), (node) => phaseText(node, ''), {
            width_px: 88,
            least_px: 72,
          }),
          textColumn<GraphNode>('instruction', l10n.t('Instruction'), (node) => (isOp(node) ? node.name : ''), {
            width_px: 128,
            isCode: true,
            rank: 1,
          }),
        ]),
    shareColumn('time', l10n.t('Of op time'), ({ self_ps }) => self_ps, {
      whole: op_time_ps ?? 0,
      longest: greatest(nodes, ({ self_ps }) => self_ps),
      unknown: whyNoTime,
    }),
    extent.steps === 0
      ? numberColumn('self', l10n.t('Time'), TIME, ({ self_ps }) => self_ps, { rank: 2, unknown: whyNoTime })
      : numberColumn(
          'self',
          l10n.t('Per step'),
          TIME,
          ({ self_ps }) => (self_ps === null ? null : perStep(extent, self_ps)),
          {
            meaning: extent.devices > 1 ? l10n.t('Time per step and device') : l10n.t('Time per step'),
            rank: 2,
            unknown: whyNoTime,
          },
        ),
    numberColumn('bytes', l10n.t('Bytes moved'), BYTES, ({ bytes }) => bytes, { rank: 4 }),
    numberColumn('padding', l10n.t('Padding'), RATIO, ({ padding_ratio }) => padding_ratio, { rank: 6 }),
    numberColumn('memory', l10n.t('At the peak'), BYTES, ({ memory_at_peak_bytes }) => memory_at_peak_bytes, {
      rank: 5,
    }),
    ...(nodes.some(({ compatibility }) => compatibility !== null)
      ? [
          textColumn<GraphNode>(
            'compatibility',
            l10n.t('On a TPU'),
            ({ compatibility }) => (compatibility === null ? null : compatibilityText(compatibility)),
            { rank: 1, width_px: 160 },
          ),
        ]
      : []),
    numberColumn('producers', l10n.t('In'), COUNT, ({ producers }) => producers, {
      meaning: l10n.t('How many nodes make what it uses, in the whole program'),
      rank: 7,
      width_px: 64,
    }),
    numberColumn('consumers', l10n.t('Out'), COUNT, ({ consumers }) => consumers, {
      meaning: l10n.t('How many nodes use what it makes, in the whole program'),
      rank: 7,
      width_px: 64,
    }),
  ];
}

function whyNoTime(node: GraphNode): string {
  return noEstimate({ has_estimate: !isWithoutEstimate(node) });
}

function phaseText({ phase }: GraphNode, more: string): string {
  return dotted([phase === null ? null : phaseName(phase), more]);
}

interface EdgeRow {
  readonly key: string;
  readonly edge: GraphEdge;
  readonly source: GraphNode;
  readonly target: GraphNode;
}

function EdgeTable({ viewer }: { readonly viewer: Viewer }) {
  const page = usePage();
  const { model } = viewer;
  const rows = useMemo(() => edgeRows(model), [model]);
  const columns = useMemo(() => edgeColumns(rows), [rows]);
  return (
    <Table
      label={l10n.t('Edges of the graph')}
      columns={columns}
      state={tableState(page.saved, 'edges', { column: 'bytes', descending: true })}
      roots={rows}
      keyOf={({ key }) => key}
      search={viewer.tableSearch}
      onArranged={(shown) => viewer.countRows(shown.length)}
      onSelect={({ target }) => viewer.select(target)}
      onOpen={({ target }) => page.host.goToLineOf(target)}
      menuOf={({ target }) => menuOf(page, viewer, target)}
    />
  );
}

function edgeRows({ edges, byKey }: GraphModel): readonly EdgeRow[] {
  return edges.flatMap((edge) => {
    const [source, target] = [byKey.get(edge.source), byKey.get(edge.target)];
    return source === undefined || target === undefined
      ? []
      : [{ key: JSON.stringify([edge.source, edge.target, edge.kind]), edge, source, target }];
  });
}

/** With what tells it from another end of the same name. */
function endText(node: GraphNode): string {
  return dotted([titleOf(node), subtitleOf(node), isOp(node) && node.primitive !== '' ? node.name : null]);
}

function edgeColumns(rows: readonly EdgeRow[]): readonly Column<EdgeRow>[] {
  const end = (id: string, title: string, of: (row: EdgeRow) => GraphNode): Column<EdgeRow> =>
    textColumn(id, title, (row) => endText(of(row)), {
      width_px: 240,
      least_px: 112,
      fills: 2,
    });
  const bytes = (row: EdgeRow): number | null => row.edge.bytes;
  return [
    end('source', l10n.t('From'), ({ source }) => source),
    end('target', l10n.t('To'), ({ target }) => target),
    numberColumn('bytes', l10n.t('Bytes'), BYTES, bytes, {
      meter: (row) => ({ ratio: (bytes(row) ?? 0) / Math.max(1, greatest(rows, bytes)) }),
      width_px: 136,
    }),
    numberColumn('count', l10n.t('Edges'), COUNT, ({ edge }) => edge.count, { rank: 1 }),
  ];
}
