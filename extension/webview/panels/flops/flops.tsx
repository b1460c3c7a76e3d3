// The panel FLOPs.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { FlopsRecord, ViewAnswer } from '../../../src/protocol';
import { IcicleView } from '../../shared/charts/icicle/icicleView';
import { useZoom } from '../../shared/charts/icicle/zoom';
import { Legend, phaseEntries } from '../../shared/charts/legend';
import { useComparedRows } from '../../shared/comparison/comparedRows';
import { Choice } from '../../shared/controls/choice';
import { useDevice } from '../../shared/controls/deviceSelect';
import { ListPanel } from '../../shared/frame/listPanel';
import { didNotRun } from '../../shared/op/extent';
import { namedOp, searchedName } from '../../shared/op/opName';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { search as searched, wordsOf } from '../../shared/table/search';
import { tableState } from '../../shared/table/tableState';
import { heaviest, pathTo, type Tree, treeOf } from '../../shared/table/tree';
import { FLOPS_COLUMN, flopsColumns } from './columns';
import { Details } from './details';
import { Head } from './head';
import { measureName, quantityOf, readout, rowName } from './measures';
import { panel } from './panel';
import { statusParts } from './status';
import { type FlopsNode, measured, opsBelow, type Measure, MEASURES, phaseShares } from './tree';
import { share, timeShare } from '../../shared/text/format';

export function Flops() {
  const device = useDevice();
  return <RecordView panel={panel} params={{ device }} show={(view) => <FlopsOfModel view={view} />} />;
}

function FlopsOfModel({ view }: { readonly view: ViewAnswer<FlopsRecord> }) {
  const { record } = view;
  const { host, saved } = usePage();
  const chosenMeasure = saved.signal<Measure>('measure', 'flops');
  // Of a program that did not run there is no time.
  const measures = didNotRun(record.extent) ? MEASURES.filter((each) => each !== 'self_ps') : MEASURES;
  const measure = measures.find((each) => each === chosenMeasure.value) ?? 'flops';
  const search = saved.signal('search', '');
  const tree = useMemo(() => treeOf(record.rows), [record]);
  const model = tree.roots[0];
  const state = tableState(saved, 'table', { column: FLOPS_COLUMN, descending: true }, tree.roots.map(keyOf));
  const columns = useMemo(
    () => (model === undefined ? [] : flopsColumns({ whole: model, rows: record.rows, unit: record.matrix_unit })),
    [view],
  );
  const amountOf = useMemo(() => (node: FlopsNode) => measured(node, measure), [measure]);
  const { top, selected, zoomTo, reveal } = useZoom(tree.byKey, model, state);
  const shares = useMemo(() => (top === undefined ? {} : phaseShares(top, measure)), [top, measure]);
  const hits = searched({ roots: tree.roots, keyOf, childrenOf, textOf }, columns, wordsOf(search.value));
  const comparedKeys = useMemo(() => opsBelow(), [tree]);
  const compared = useComparedRows<FlopsNode>('op', {
    keysOf: comparedKeys,
    meaning: l10n.t('Executed FLOPs of a step, of all devices'),
    areFlops: true,
    behind: FLOPS_COLUMN,
    isOfAllSteps: true,
    extent: record.extent,
  });
  if (model === undefined || top === undefined) {
    return null;
  }
  const select = (node: FlopsNode): void => {
    reveal(node);
    host.select(node.kind === 'op' ? selectionOf(node) : null);
  };
  return (
    <ListPanel
      view={view}
      extent={record.extent}
      details={<Details record={record} node={selected ?? model} />}
      status={statusParts(record, model, { found: hits?.rows.size ?? 0, search: search.value })}
      selected={selected}
      onFollow={(selection) => {
        const node = nodeOf(tree, selection);
        if (node !== null) {
          reveal(node);
        }
      }}
      head={<Head record={record} model={model} />}
      search={search}
      searchLabel={l10n.t('Search scopes and ops')}
      tools={
        <Choice
          label={l10n.t('Width')}
          options={measures.map((each) => ({ value: each, label: measureName(each) }))}
          value={measure}
          onChange={(chosen) => (chosenMeasure.value = chosen)}
        />
      }
      picture={
        <IcicleView
          label={l10n.t('Scopes by their part of the whole')}
          whole={model}
          top={top}
          grows="down"
          amountOf={amountOf}
          amountText={quantityOf(measure).text}
          readout={(node) => readout(node, model, measure)}
          nameOf={rowName}
          phaseOf={phaseOf}
          isFound={hits?.leadsTo}
          selected={selected}
          onSelect={select}
          onZoom={zoomTo}
          onGo={(node) => host.goToLineOf(node)}
        >
          <Legend entries={phaseEntries(shares, measure === 'self_ps' ? timeShare : share)} />
        </IcicleView>
      }
      label={l10n.t('FLOPs of scopes and ops')}
      columns={columns}
      compared={compared}
      state={state}
      roots={tree.roots}
      keyOf={keyOf}
      childrenOf={childrenOf}
      textOf={textOf}
      opensFound
      onSelect={select}
      selectionOf={selectionOf}
      menuOf={(node) =>
        node.children.length === 0 ? [] : [{ label: l10n.t('Zoom to This'), run: () => zoomTo(node) }]
      }
    />
  );
}

const keyOf = ({ key }: FlopsNode): string => key;
const childrenOf = ({ children }: FlopsNode): readonly FlopsNode[] => children;
const phaseOf = ({ phase }: FlopsNode): FlopsNode['phase'] => phase;
/** The whole is not searched for: it would show everything. */
const textOf = (node: FlopsNode): string => (node.kind === 'model' ? '' : searchedName(namedOp(node)));

/** The names of a scope and of those around it, as they are selected. */
function scopePath(node: FlopsNode): string {
  return pathTo(node)
    .filter(({ kind }) => kind === 'scope')
    .map(({ label }) => label)
    .join('/');
}

function selectionOf(node: FlopsNode): Selection | null {
  const { kind, key, file, line } = node;
  switch (kind) {
    case 'op':
      return { kind, key, file, line };
    case 'scope':
      return { kind, name: scopePath(node), file: null, line: null };
    case 'model':
      return null;
  }
}

function nodeOf(tree: Tree<FlopsNode>, selection: Selection): FlopsNode | null {
  switch (selection.kind) {
    case 'op':
      return tree.byKey.get(selection.key) ?? null;
    case 'line':
      return heaviest(
        tree.byKey.values(),
        ({ kind, file, line }) => kind === 'op' && file === selection.file && line === selection.line,
      );
    case 'scope':
      return heaviest(tree.byKey.values(), (node) => node.kind === 'scope' && scopePath(node) === selection.name);
    default:
      return null;
  }
}
