// The panel Hot Lines.

import * as l10n from '@vscode/l10n';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { LinesAnswer, PlaceRecord } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { SearchField } from '../../shared/controls/elements';
import { count } from '../../shared/text/format';
import { Frame } from '../../shared/frame/frame';
import { usePage } from '../../shared/page/page';
import { useSharedSelection } from '../../shared/page/followSelection';
import { RecordView } from '../../shared/page/recordView';
import { showInItems } from '../../shared/page/showIn';
import { greatest } from '../../shared/table/greatest';
import { Table, type TableFocus } from '../../shared/table/table';
import { openRows, tableState } from '../../shared/table/tableState';
import { hotColumns, SHARE_COLUMN } from './columns';
import { RowDetails } from './details';
import { Head } from './head';
import './hotLines.css';
import { panel } from './panel';
import { grouped, type Grouping, type HotRow, hotRows, lineKey } from './rows';
import { statusText } from './status';
import { Steps } from './steps';

const noOptions = {};

export function HotLines() {
  return (
    <RecordView
      panel={panel}
      params={noOptions}
      empty={({ record }) =>
        record.lines.length > 0 || record.reason === null ? null : { reason: record.reason, remedy: record.remedy }
      }
      show={(view, took_ms) => <HotLinesTable view={view} took_ms={took_ms} />}
    />
  );
}

function HotLinesTable(props: { readonly view: LinesAnswer; readonly took_ms: number | null }) {
  const { view, took_ms } = props;
  const { record, run } = view;
  const page = usePage();
  const { host, saved } = page;
  const grouping = saved.signal<Grouping>('grouping', 'lines');
  const state = tableState(saved, grouping.value, { column: SHARE_COLUMN, descending: true });
  const search = saved.signal('search', '');
  const rows = useMemo(() => hotRows(view, grouping.value), [view, grouping.value]);
  const [shown, setShown] = useState(rows.length);
  const table = useRef<TableFocus>(null);

  const go = (row: HotRow): boolean => host.goToLineOf(row);
  const goToPlace = (place: PlaceRecord): void => {
    const target = record.lines.find(({ path, line }) => path === place.path && line === place.line);
    if (target !== undefined && target.file !== null) {
      select(rows.find(({ key }) => key === lineKey(target.file, target.line)) ?? null);
      host.goToLine(target.file, target.line);
    }
  };
  const select = (row: HotRow | null): void => {
    state.selected.value = row?.key ?? null;
    host.select(row === null || row.file === null ? null : { kind: 'line', file: row.file, line: row.line });
  };

  // What another panel selected is selected here too.
  useSharedSelection(grouping.value, ({ file, line }, isAskedFor) => {
    const present = selectedOf(rows, state.selected.value);
    const isThere = present !== null && present.file === file && present.line === line;
    const row = file === null || line === null ? null : selectedOf(rows, lineKey(file, line));
    if (row !== null && (isAskedFor || !isThere)) {
      openRows(state, rows.filter(({ lines }) => lines.includes(row)).map(keyOf));
      state.selected.value = row.key;
    }
  });

  const columns = useMemo(
    () =>
      hotColumns({
        opTime_ps: record.op_time_ps,
        longest_ps: greatest(rows, ({ self_ps }) => self_ps),
        hasSteps: record.steps.length > 0,
        hasStale: view.places.some((place) => place !== null && place.state !== 'current'),
        isByFunction: grouping.value === 'functions',
        onGo: go,
      }),
    [view, rows],
  );
  const selected = selectedOf(rows, state.selected.value);
  return (
    <Frame
      facts={[run.title, devices(view), steps(view)].filter((fact) => fact !== '')}
      details={{
        label: l10n.t('Details'),
        content:
          selected === null ? (
            <Steps record={record} />
          ) : (
            <RowDetails row={selected} record={record} onGo={go} onGoToPlace={goToPlace} />
          ),
      }}
      status={statusText(record, { shown, all: rows.length, search: search.value }, took_ms)}
    >
      <Head view={view} />
      <div class="tool-row">
        <SearchField
          label={l10n.t('Search lines')}
          value={search.value}
          onChange={(text) => (search.value = text)}
          onLeave={() => table.current?.focus()}
        />
        <Choice
          label={l10n.t('Rows')}
          options={[
            { value: 'lines', label: l10n.t('Lines') },
            { value: 'functions', label: l10n.t('Functions') },
          ]}
          value={grouping.value}
          onChange={(value) => (grouping.value = value)}
        />
      </div>
      <Table
        key={grouping.value}
        label={l10n.t('Hot lines')}
        columns={columns}
        state={state}
        search={search.value}
        roots={rows}
        keyOf={keyOf}
        isLast={isLast}
        {...(grouping.value === 'functions' ? { childrenOf } : {})}
        classOf={(row) => (row.kind === 'unattributed' ? 'quiet' : '')}
        onOpen={(row) => row.kind !== 'function' && go(row)}
        onSelect={select}
        onArranged={(arranged) => setShown(arranged.filter(({ level }) => level === 1).length)}
        menuOf={(row) =>
          row.file === null
            ? []
            : [
                { label: l10n.t('Go to Line'), keys: l10n.t('Enter'), run: () => void go(row) },
                ...showInItems(page, { kind: 'line', file: row.file, line: row.line }),
              ]
        }
        nothingFound={l10n.t('No row has “{0}”.', search.value.trim())}
        focusRef={table}
      />
    </Frame>
  );
}

const keyOf = (row: HotRow): string => row.key;
const isLast = (row: HotRow): boolean => row.kind === 'unattributed';
const childrenOf = (row: HotRow): readonly HotRow[] => row.lines;

function selectedOf(rows: readonly HotRow[], key: string | null): HotRow | null {
  for (const row of rows) {
    if (row.key === key) {
      return row;
    }
    const below = selectedOf(row.lines, key);
    if (below !== null) {
      return below;
    }
  }
  return null;
}

function devices({ record }: LinesAnswer): string {
  const kinds = [...grouped(record.devices, ({ kind, name }) => kind || name)];
  return kinds.map(([kind, same]) => (same.length === 1 ? kind : `${count(same.length)} × ${kind}`)).join(', ');
}

function steps({ record }: LinesAnswer): string {
  const found = record.steps.length;
  return found === 0 ? '' : found === 1 ? l10n.t('1 step') : l10n.t('steps 1–{0}', count(found));
}
