// The panel Memory Viewer.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { MemoryBuffer, MemoryViewerRecord, ViewAnswer } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { useDetails } from '../../shared/page/details';
import { Icon } from '../../shared/controls/elements';
import { useSharedSelection } from '../../shared/page/followSelection';
import { count } from '../../shared/text/format';
import { Frame } from '../../shared/frame/frame';
import { List } from '../../shared/frame/list';
import { statusLine } from '../../shared/frame/status';
import { lineText } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { Notice } from '../../shared/page/states';
import { search as found, wordsOf } from '../../shared/table/search';
import { tableState } from '../../shared/table/tableState';
import { allocationMap } from './blocks';
import {
  estimateMark,
  inOrder,
  largestOfLine,
  meantProgram,
  type Order,
  orderName,
  ORDERS,
  selectionOf,
} from './buffers';
import { categoryName } from './categories';
import { bufferColumns, PADDING_COLUMN, PROGRAM_COLUMN, SIZE_COLUMN } from './columns';
import { curveOf, executionOf, isPoint, ownBytes, pointOf, positionOf, type ViewName } from './curveData';
import { CurveTable } from './curveTable';
import { CurveView, NothingMoves } from './curveView';
import { Details } from './details';
import { Head } from './head';
import { BufferIndex, focusOn, type FocusedBuffer } from './bufferIndex';
import { liveInOrder } from './live';
import { MapTable } from './mapTable';
import { MapView } from './mapView';
import './memoryViewer.css';
import { panel } from './panel';
import { keepOnlyOf, type PositionFocus, viewerState } from './state';
import { statusParts } from './status';
import { Strip } from './strip';
import { ProgramSelects, ViewTools } from './tools';

export function MemoryViewer() {
  const { host, saved } = usePage();
  const { chosen } = viewerState(saved);
  const run = host.facts.value?.shownRun?.path ?? null;
  const wish = chosen.value !== null && chosen.value.run === run ? chosen.value : null;
  return (
    <RecordView
      panel={panel}
      params={{ program: wish?.program_id ?? null, memory_space: wish?.memory_space ?? null }}
      isEmpty={({ record }) => record.peak_bytes === null}
      show={(view, took_ms) => <ViewerOfProgram view={view} took_ms={took_ms} />}
    />
  );
}

const orderColumns: Readonly<Record<Order, string>> = {
  program: PROGRAM_COLUMN,
  size: SIZE_COLUMN,
  padding: PADDING_COLUMN,
};

function ViewerOfProgram(props: { readonly view: ViewAnswer<MemoryViewerRecord>; readonly took_ms: number | null }) {
  const { record, run } = props.view;
  const { host, saved } = usePage();
  const state = viewerState(saved);
  keepOnlyOf(state, JSON.stringify([run.path, record.program_id, record.memory_space]));
  const rows = tableState(saved, 'buffers', { column: SIZE_COLUMN, descending: true });
  const [hovered, setHovered] = useState<FocusedBuffer | null>(null);
  const [missing, setMissing] = useState<string | null>(null);

  const view: ViewName =
    state.view.value === 'execution' && executionOf(record) === null ? 'program' : state.view.value;
  const curve = useMemo(() => curveOf(record, view === 'execution' ? 'execution' : 'program'), [record, view]);
  const own = useMemo(() => ownBytes(record.lifetimes), [record]);
  const whole = useMemo(() => allocationMap(record, null), [record]);
  const only = state.allocation.value;
  const map = useMemo(() => (only === null ? whole : allocationMap(record, only)), [whole, only]);
  const listed = state.listed.value;
  const live = useDetails(
    'memoryAt',
    listed === null
      ? null
      : { position: listed.position, program: record.program_id, memory_space: record.memory_space },
  );
  const buffers = useMemo(
    () => (listed === null || live.value === null ? record.buffers : liveInOrder(live.value)),
    [record, listed === null, live.value],
  );
  const index = useMemo(() => new BufferIndex(record, buffers), [record, buffers]);
  const pinnedId = state.pinned.value;
  const pinned = useMemo(() => (pinnedId === null ? null : index.byId(pinnedId)), [index, pinnedId]);
  const picked =
    listed === null
      ? null
      : curve.kind === 'execution' && listed.execution !== null
        ? listed.execution.point
        : pointOf(curve, listed.position);
  const mark = estimateMark(record);

  const goById = (id: string): void => {
    const buffer = index.byId(id)?.buffer ?? null;
    if (buffer !== null) {
      host.goToLineOf(buffer);
    }
  };
  const selected = JSON.stringify([host.facts.value?.selection, host.facts.value?.selectionGeneration]);
  /** The selection that a program was last chosen for or in spite of: what a person then chooses stays chosen. */
  const chosenFor = useRef<string | null>(null);
  const choose = (program_id: string | null, memory_space: number | null): void => {
    chosenFor.current = selected;
    state.chosen.value = { run: run.path, program_id, memory_space };
  };
  /** Keeps the card of a buffer, here alone. */
  const keep = (id: string | null): void => {
    setHovered(null);
    setMissing(null);
    state.pinned.value = id;
    rows.selected.value = id;
  };
  const pin = (id: string): void => {
    keep(id);
    const buffer = index.byId(id)?.buffer ?? null;
    const selection = buffer === null ? null : selectionOf(buffer);
    if (selection !== null) {
      host.select(selection);
    }
  };
  const list = (position: number, execution: PositionFocus['execution'] = null): void => {
    keep(null);
    state.listed.value = { position, execution };
  };
  /** From a card back to what is listed, from that to the peak. */
  const leave = (): void => {
    if (pinnedId === null) {
      state.listed.value = null;
    }
    keep(null);
  };
  const listPoint = (point: number): void =>
    list(positionOf(curve, point), curve.kind === 'execution' ? { point, op: curve.ops[point] ?? '' } : null);
  const hoverId = (id: string | null): void => setHovered(id === null ? null : index.byId(id));
  const hover = (buffer: MemoryBuffer | null): void => setHovered(buffer === null ? null : focusOn(buffer));

  useSharedSelection(JSON.stringify([record.program_id, record.memory_space]), (selection: Selection) => {
    if (pinned?.buffer !== null && pinned !== null && isOf(selectionOf(pinned.buffer), selection)) {
      return;
    }
    if (selection.kind === 'line') {
      const buffer = largestOfLine(record.buffers, selection.file, selection.line);
      keep(buffer?.id ?? null);
      setMissing(buffer === null ? lineText(selection.file, selection.line) : null);
      return;
    }
    const meant = meantProgram(record, selection);
    if (meant !== null && meant.program_id !== record.program_id) {
      if (chosenFor.current !== selected) {
        choose(meant.program_id, null);
      }
    } else if (meant !== null && meant.op_key !== null) {
      const buffer = index.byOp(meant.op_key);
      keep(buffer?.id ?? null);
      setMissing(buffer === null ? l10n.t('the selected op') : null);
    }
  });
  // What was pointed at in another record is nowhere any more.
  useEffect(() => {
    setHovered(null);
  }, [record]);

  const columns = useMemo(() => bufferColumns({ record, buffers }), [record, buffers]);
  const words = state.search.value;
  const hits = useMemo(
    () => found({ roots: buffers, keyOf, textOf }, columns, wordsOf(words)),
    [buffers, columns, words],
  );
  const { sort } = rows;
  const order = ORDERS.find((each) => orderColumns[each] === sort.value.column) ?? 'size';
  const ordered = useMemo(() => inOrder(buffers, order), [buffers, order]);
  const shown = state.shown.value[view];
  const onShow = (span: (typeof state.shown.value)[ViewName]): void => {
    state.shown.value = { ...state.shown.value, [view]: span };
  };
  const focused = hovered ?? pinned;
  const listLabel =
    listed === null
      ? l10n.t('Buffers at the peak')
      : listed.execution === null
        ? l10n.t('Buffers in memory at position {0}', count(listed.position))
        : l10n.t('Buffers in memory at program position {0}', count(listed.position));
  return (
    <Frame
      facts={[run.title, record.module ?? '', record.memory_space_name].filter((fact) => fact !== '')}
      controls={<ProgramSelects record={record} onChoose={choose} />}
      details={{
        label: l10n.t('Details'),
        isChosen: pinned !== null,
        content: (
          <Details
            record={record}
            curve={curve}
            focused={focused}
            isPinned={focused !== null && focused.id === pinned?.id}
            listed={listed}
            live={live.value}
            missing={missing}
            onUnpin={() => keep(null)}
            onPosition={list}
          />
        ),
      }}
      status={statusLine(
        statusParts(record, { shown: hits?.rows.size ?? buffers.length, all: buffers.length, search: words }),
        props.took_ms,
      )}
    >
      <Head record={record} />
      <ViewTools state={state} record={record} view={view} map={map} allocations={whole.allocations} />
      {isPoint(record.timeline) && !state.asTable.value ? (
        <NothingMoves record={record} />
      ) : view === 'map' ? (
        state.asTable.value ? (
          <MapTable map={map} mark={mark} search={words} onPin={pin} onHover={hoverId} onGo={goById} />
        ) : (
          <MapView
            record={record}
            map={map}
            curve={curve}
            search={words}
            shown={shown}
            onShow={onShow}
            pinned={pinned?.id ?? null}
            onPin={pin}
            onHover={hoverId}
            onGo={goById}
            onLeave={leave}
          />
        )
      ) : state.asTable.value ? (
        <CurveTable key={curve.kind} curve={curve} own={own} mark={mark} onPick={listPoint} />
      ) : (
        <CurveView
          record={record}
          curve={curve}
          own={own}
          shown={shown}
          onShow={onShow}
          pinned={pinned}
          hovered={hovered}
          picked={picked}
          onPick={listPoint}
          onLeave={leave}
        />
      )}
      <List
        search={state.search}
        searchLabel={l10n.t('Search buffers')}
        tools={
          <>
            <Choice<Order>
              label={l10n.t('Order of buffers')}
              options={ORDERS.map((each) => ({ value: each, label: orderName(each) }))}
              value={order}
              onChange={(each) => (sort.value = { column: orderColumns[each], descending: each !== 'program' })}
            />
            {listed === null ? null : (
              <button
                type="button"
                class="toggle"
                aria-pressed="true"
                title={l10n.t('Back to the buffers at the peak')}
                onClick={() => (state.listed.value = null)}
              >
                {listed.execution === null
                  ? l10n.t('at position {0}', count(listed.position))
                  : l10n.t('at program position {0}', count(listed.position))}{' '}
                <Icon name="close" />
              </button>
            )}
          </>
        }
        picture={
          <>
            {listed === null || live.failure === null ? null : <Notice kind="failed" text={live.failure} />}
            <Strip
              label={listLabel}
              record={record}
              buffers={ordered}
              order={order}
              found={hits?.rows ?? null}
              hovered={hovered?.id ?? null}
              pinned={pinned?.id ?? null}
              onHover={hover}
              onPin={({ id }) => pin(id)}
            />
          </>
        }
        label={listLabel}
        columns={columns}
        state={rows}
        roots={buffers}
        keyOf={keyOf}
        textOf={textOf}
        classOf={({ category, id }) => `of-${category} ${hovered?.id === id ? 'hovered' : ''}`}
        onSelect={({ id }) => pin(id)}
        onHover={hover}
        selectionOf={selectionOf}
        menuOf={(buffer) => [{ label: l10n.t('What Is Alive at Its Start'), run: () => list(buffer.start) }]}
      />
    </Frame>
  );
}

const keyOf = ({ id }: MemoryBuffer): string => id;
const textOf = (buffer: MemoryBuffer): string =>
  [
    buffer.name,
    categoryName(buffer.category),
    buffer.shape,
    buffer.op_name,
    buffer.opcode,
    lineText(buffer.path, buffer.line),
    buffer.function ?? '',
  ].join('\n');

/** Whether a buffer's selection is the one, or on the line, that is selected. */
function isOf(own: Selection | null, selection: Selection): boolean {
  return selection.kind === 'line'
    ? own?.file === selection.file && own.line === selection.line
    : own?.kind === 'op' && selection.kind === 'op' && own.key === selection.key;
}
