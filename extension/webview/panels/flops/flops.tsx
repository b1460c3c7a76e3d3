// The panel FLOPs.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { FlopsView } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { DeviceSelect, useDevice } from '../../shared/controls/deviceSelect';
import { SearchField } from '../../shared/controls/elements';
import { emptyRows } from '../../shared/op/emptyRows';
import { didNotRun } from '../../shared/op/extent';
import { Frame } from '../../shared/frame/frame';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { showInItems } from '../../shared/page/showIn';
import { Table, type TableFocus } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { FLOPS_COLUMN, flopsColumns } from './columns';
import { Details } from './details';
import './flops.css';
import { Head } from './head';
import { IcicleView } from './icicleView';
import { measureName } from './measures';
import { rowCounts, statusText } from './status';
import {
  commonAbove,
  type FlopsNode,
  type FlopsTree,
  flopsTree,
  heaviestOnLine,
  type Measure,
  MEASURES,
  pathTo,
} from './tree';

export function Flops() {
  const device = useDevice();
  return (
    <RecordView
      panel="flops"
      params={{ device }}
      heedsSettings
      empty={({ record }) => emptyRows(record, l10n.t('No op ran.'))}
      show={(view, took_ms) => <FlopsOfModel view={view} took_ms={took_ms} />}
    />
  );
}

function FlopsOfModel(props: { readonly view: FlopsView; readonly took_ms: number | null }) {
  const { view, took_ms } = props;
  const { record, run } = view;
  const page = usePage();
  const { host, saved } = page;
  const device = useDevice();
  const chosenMeasure = saved.signal<Measure>('measure', 'flops');
  // Of a program that did not run there is no time.
  const measures = didNotRun(record.extent) ? MEASURES.filter((each) => each !== 'self_ps') : MEASURES;
  const measure = measures.find((each) => each === chosenMeasure.value) ?? 'flops';
  const zoomed = saved.signal<string | null>('zoomed', null);
  const search = saved.signal('search', '');
  const table = useRef<TableFocus>(null);
  const tree = useMemo(() => flopsTree(record.rows), [record]);
  const [shown, setShown] = useState(record.rows.length);
  const counts = useMemo(() => rowCounts(record), [record]);
  const model = tree.roots[0];
  const state = tableState(saved, 'table', { column: FLOPS_COLUMN, descending: true }, tree.roots.map(keyOf));

  const go = ({ row }: FlopsNode): boolean => host.goToLineOf(row);
  const columns = useMemo(
    () =>
      model === undefined
        ? []
        : flopsColumns({ whole: model.row, rows: record.rows, unit: record.matrix_unit, onGo: go }),
    [view],
  );
  const selected = tree.byKey.get(state.selected.value ?? '') ?? null;
  const top = tree.byKey.get(zoomed.value ?? '') ?? model;

  /** Selects a node, opens the table down to it, and zooms out as far as it takes to see it. */
  const reveal = (node: FlopsNode): void => {
    const closed = pathTo(node)
      .slice(0, -1)
      .map(keyOf)
      .filter((key) => !state.expanded.value.includes(key));
    if (closed.length > 0) {
      state.expanded.value = [...state.expanded.value, ...closed];
    }
    if (top !== undefined && !pathTo(node).includes(top)) {
      zoomed.value = commonAbove(top, node)?.row.key ?? null;
    }
    state.selected.value = node.row.key;
  };
  const select = (node: FlopsNode): void => {
    reveal(node);
    host.select(selectionOf(node));
  };

  // What another panel selected is selected here too: the op, or the heaviest one of a line.
  const selection = host.facts.value?.selection ?? null;
  useEffect(() => {
    const isThere =
      selection?.kind === 'line' && selected?.row.file === selection.file && selected.row.line === selection.line;
    if (selection === null || isThere) {
      return;
    }
    const node = nodeOf(tree, selection);
    if (node !== null && node !== selected) {
      reveal(node);
    }
  }, [tree, JSON.stringify(selection)]);

  if (model === undefined || top === undefined) {
    return null;
  }
  return (
    <Frame
      facts={[run.title, run.short].filter((fact) => fact !== '')}
      controls={<DeviceSelect devices={view.devices} />}
      details={{
        label: l10n.t('Details'),
        content: <Details record={record} node={selected ?? model} device={device} />,
      }}
      status={statusText(record.extent, model.row, counts, { shown, search: search.value }, took_ms)}
    >
      <Head record={record} model={model.row} />
      <div class="tool-row">
        <Choice
          label={l10n.t('Width')}
          options={measures.map((each) => ({ value: each, label: measureName(each) }))}
          value={measure}
          onChange={(chosen) => (chosenMeasure.value = chosen)}
        />
        <SearchField
          label={l10n.t('Search scopes and ops')}
          value={search.value}
          onChange={(text) => (search.value = text)}
          onLeave={() => table.current?.focus()}
        />
      </div>
      <IcicleView
        whole={model}
        top={top}
        measure={measure}
        selected={selected}
        onSelect={select}
        onZoom={(node) => (zoomed.value = node.row.key)}
        onGo={go}
      />
      <Table
        label={l10n.t('FLOPs of scopes and ops')}
        columns={columns}
        state={state}
        search={search.value}
        roots={tree.roots}
        keyOf={keyOf}
        childrenOf={childrenOf}
        textOf={searchedText}
        opensFound
        onOpen={go}
        onSelect={select}
        onArranged={(arranged) => setShown(arranged.length)}
        menuOf={(node) => [
          ...(node.row.file === null
            ? []
            : [{ label: l10n.t('Go to Line'), keys: l10n.t('Enter'), run: () => void go(node) }]),
          ...(node.children.length === 0
            ? []
            : [{ label: l10n.t('Zoom to This'), run: () => (zoomed.value = node.row.key) }]),
          ...showInItems(page, selectionOf(node) ?? scopeOf(node)),
        ]}
        nothingFound={l10n.t('No row has “{0}”.', search.value.trim())}
        focusRef={table}
      />
    </Frame>
  );
}

const keyOf = (node: FlopsNode): string => node.row.key;
/** The whole is not searched for: it would show everything. */
const searchedText = ({ row }: FlopsNode): string =>
  row.kind === 'model' ? '' : [row.label, row.path ?? '', String(row.line ?? '')].join('\n');
const childrenOf = (node: FlopsNode): readonly FlopsNode[] => node.children;

const WHOLE = 'model/';

function selectionOf({ row }: FlopsNode): Selection | null {
  const { kind, key, file, line } = row;
  return kind === 'op' ? { kind, key, file, line } : null;
}

function scopeOf({ row }: FlopsNode): Selection | null {
  const { kind, key } = row;
  return kind === 'scope' ? { kind, name: key.slice(WHOLE.length), file: null, line: null } : null;
}

function nodeOf(tree: FlopsTree, selection: Selection): FlopsNode | null {
  switch (selection.kind) {
    case 'op':
      return tree.byKey.get(selection.key) ?? null;
    case 'line':
      return heaviestOnLine(tree, selection.file, selection.line);
    case 'scope':
      return tree.byKey.get(`${WHOLE}${selection.name}`) ?? null;
    default:
      return null;
  }
}
