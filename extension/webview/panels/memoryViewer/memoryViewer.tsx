// The panel Memory Viewer.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { MemoryBuffer, MemoryViewerRecord, ViewAnswer } from '../../../src/protocol';
import { useComparedList } from '../../shared/comparison/comparedList';
import { Choice } from '../../shared/controls/choice';
import { Icon } from '../../shared/controls/elements';
import { Findings } from '../../shared/findings/findings';
import { Figures } from '../../shared/frame/figures';
import { ListPanel } from '../../shared/frame/listPanel';
import { lineText } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { Notice } from '../../shared/page/states';
import { search as found, wordsOf } from '../../shared/table/search';
import { count } from '../../shared/text/format';
import { BYTES } from '../../shared/text/quantities';
import { type Order, orderName, ORDERS, selectionOf } from './buffers';
import { categoryName } from './categories';
import { bufferColumns, SIZE_COLUMN } from './columns';
import { isPoint } from './curveData';
import { CurveTable } from './curveTable';
import { CurveView, NothingMoves } from './curveView';
import { Details } from './details';
import { figures } from './head';
import { MapTable } from './mapTable';
import { MapView } from './mapView';
import './memoryViewer.css';
import { panel } from './panel';
import { viewerState } from './state';
import { statusParts } from './status';
import { Strip } from './strip';
import { ProgramSelects, ViewTools } from './tools';
import { useViewer, type Viewer } from './viewer';

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
      show={(view) => <ViewerOfProgram view={view} />}
    />
  );
}

function ViewerOfProgram(props: { readonly view: ViewAnswer<MemoryViewerRecord> }) {
  const viewer = useViewer(props.view);
  const { record, state, rows, buffers, listed, live, hovered, pinned } = viewer;
  const columns = useMemo(() => bufferColumns(record, buffers), [record, buffers]);
  const words = state.search.value;
  const hits = useMemo(
    () => found({ roots: buffers, keyOf, textOf }, columns, wordsOf(words)),
    [buffers, columns, words],
  );
  // Of what is there at another position the run before has no counterpart.
  const compared = useComparedList<MemoryBuffer>(
    listed !== null
      ? null
      : { of: 'buffers', program: record.program_id, memory_space: record.memory_space, snapshot: null },
    { quantity: BYTES, meaning: l10n.t('Size at the peak of the program'), behind: SIZE_COLUMN },
  );
  const { sort } = rows;
  const order = ORDERS.find((each) => each === sort.value.column) ?? 'size';
  const listLabel =
    listed === null
      ? l10n.t('Buffers at the peak')
      : listed.execution === null
        ? l10n.t('Buffers in memory at position {0}', count(listed.position))
        : l10n.t('Buffers in memory at program position {0}', count(listed.position));
  return (
    <ListPanel
      view={{ run: props.view.run }}
      facts={[record.module ?? '', record.memory_space_name]}
      controls={<ProgramSelects viewer={viewer} />}
      details={<Details viewer={viewer} />}
      isChosen={pinned !== null}
      status={statusParts(record, { shown: hits?.rows.size ?? buffers.length, all: buffers.length, search: words })}
      selected={pinned?.buffer ?? null}
      onFollow={viewer.follow}
      arrangement={JSON.stringify([record.program_id, record.memory_space])}
      head={
        <>
          <Figures label={l10n.t('Memory of the program')} figures={figures(record)} />
          <Findings findings={record.findings} />
          <ViewTools viewer={viewer} />
          <Picture viewer={viewer} />
        </>
      }
      search={state.search}
      searchLabel={l10n.t('Search buffers')}
      tools={
        <>
          <Choice<Order>
            label={l10n.t('Order of buffers')}
            options={ORDERS.map((each) => ({ value: each, label: orderName(each) }))}
            value={order}
            onChange={(each) => (sort.value = { column: each, descending: each !== 'program' })}
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
          <Strip label={listLabel} viewer={viewer} order={order} found={hits?.rows ?? null} />
        </>
      }
      label={listLabel}
      columns={columns}
      compared={compared}
      state={rows}
      roots={buffers}
      keyOf={keyOf}
      textOf={textOf}
      classOf={({ category, id }) => `of-${category} ${hovered?.id === id ? 'hovered' : ''}`}
      onSelect={({ id }) => viewer.pin(id)}
      onHover={(buffer) => viewer.hover(buffer?.id ?? null)}
      selectionOf={selectionOf}
      menuOf={(buffer) => [{ label: l10n.t('What Is Alive at Its Start'), run: () => viewer.list(buffer.start) }]}
    />
  );
}

/** What is drawn over positions, or the same as a table. */
function Picture({ viewer }: { readonly viewer: Viewer }) {
  const { record, curve, state } = viewer;
  const asTable = state.asTable.value;
  if (isPoint(record.timeline) && !asTable) {
    return <NothingMoves record={record} />;
  }
  if (viewer.view === 'map') {
    return asTable ? <MapTable viewer={viewer} /> : <MapView viewer={viewer} />;
  }
  return asTable ? <CurveTable key={curve.kind} viewer={viewer} /> : <CurveView viewer={viewer} />;
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
