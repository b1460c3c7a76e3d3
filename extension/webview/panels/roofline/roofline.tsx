// The panel Roofline.

import * as l10n from '@vscode/l10n';
import { useMemo, useRef } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { RooflineRecord, RooflineRow, ViewAnswer } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { DeviceSelect, useDevice } from '../../shared/controls/deviceSelect';
import { SearchField } from '../../shared/controls/elements';
import { emptyRows } from '../../shared/op/emptyRows';
import { Frame } from '../../shared/frame/frame';
import { OpNotices } from '../../shared/op/notices';
import { spaceName } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { useSharedSelection } from '../../shared/page/followSelection';
import { RecordView } from '../../shared/page/recordView';
import { Select } from '../../shared/controls/select';
import { showInItems } from '../../shared/page/showIn';
import { greatest } from '../../shared/table/greatest';
import { search as found, wordsOf } from '../../shared/table/search';
import { Table, type TableFocus } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { RooflineChart } from './chart';
import { rooflineColumns, TIME_COLUMN } from './columns';
import { Details } from './details';
import { panel } from './panel';
import {
  categoriesOf,
  chosenRows,
  fittedView,
  type Level,
  roofsOver,
  rowsBeyond,
  rowToShow,
  spacesOf,
  type View,
  viewWithin,
} from './points';
import './roofline.css';
import { statusText } from './status';

export function Roofline() {
  const device = useDevice();
  return (
    <RecordView
      panel={panel}
      params={{ device }}
      empty={({ record }) => emptyRows(record, l10n.t('Of no op are both FLOPs and bytes known.'))}
      show={(view, took_ms) => <RooflineOfOps view={view} took_ms={took_ms} />}
    />
  );
}

function RooflineOfOps(props: { readonly view: ViewAnswer<RooflineRecord>; readonly took_ms: number | null }) {
  const { view, took_ms } = props;
  const { record, run } = view;
  const page = usePage();
  const { host, saved } = page;
  const device = useDevice();
  const level = saved.signal<Level>('level', 'op');
  const wishedSpace = saved.signal('space', 'main');
  const wishedCategory = saved.signal('category', '');
  const zoomed = saved.signal<View | null>('view', null);
  const search = saved.signal('search', '');
  const state = tableState(saved, 'table', { column: TIME_COLUMN, descending: true });
  const table = useRef<TableFocus>(null);

  const spaces = useMemo(() => spacesOf(record), [record]);
  const space = spaces.includes(wishedSpace.value) ? wishedSpace.value : (spaces[0] ?? '');
  const ofSpace = useMemo(
    () => chosenRows(record, { level: level.value, space, category: '' }),
    [record, level.value, space],
  );
  const categories = useMemo(() => categoriesOf(ofSpace), [ofSpace]);
  const category = categories.includes(wishedCategory.value) ? wishedCategory.value : '';
  const rows = useMemo(
    () => (category === '' ? ofSpace : ofSpace.filter((row) => row.category === category)),
    [ofSpace, category],
  );
  const roofs = useMemo(() => roofsOver(record, space), [record, space]);
  const go = (row: RooflineRow): boolean => host.goToLineOf(row);
  const selected = rows.find((row) => keyOf(row) === state.selected.value) ?? null;
  const select = (row: RooflineRow): void => {
    state.selected.value = keyOf(row);
    host.select(selectionOf(row));
  };

  // What another panel selected is selected here too: the op, or the heaviest one of a line, whatever is filtered.
  useSharedSelection(device ?? '', (selection, isAskedFor) => {
    if (selection.kind === 'category') {
      level.value = 'op';
      wishedCategory.value = selection.name;
      return;
    }
    const row = rowToShow(record, selection, space);
    const isThere = selection.kind === 'line' && selected?.file === selection.file && selected.line === selection.line;
    if (row === null || (isThere && !isAskedFor)) {
      return;
    }
    level.value = row.kind;
    wishedSpace.value = row.space;
    if (category !== '' && row.category !== category) {
      wishedCategory.value = '';
    }
    state.selected.value = keyOf(row);
  });
  const selection = host.facts.value?.selection ?? null;
  /** The op that is selected in other panels and has no point here. */
  const pointless = selection?.kind === 'op' && rowToShow(record, selection, space) === null ? selection.key : null;

  const columns = useMemo(
    () =>
      rooflineColumns({
        longest_ps: greatest(rows, ({ self_ps }) => self_ps),
        hasRoofs: roofs.length > 0,
        onGo: go,
      }),
    [rows, roofs],
  );
  const drawn = useMemo(() => {
    const hits = found({ roots: rows, keyOf, textOf: searchedText }, columns, wordsOf(search.value));
    return hits === null ? rows : rows.filter((row) => hits.rows.has(row));
  }, [rows, columns, search.value]);
  const shownView = useMemo(
    () => (zoomed.value === null ? fittedView(ofSpace, roofs) : viewWithin(zoomed.value, ofSpace, roofs)),
    [zoomed.value, ofSpace, roofs],
  );
  const beyond = useMemo(() => rowsBeyond(drawn, shownView), [drawn, shownView]);
  const chooseSpace = (chosen: string): void => {
    wishedSpace.value = chosen;
    zoomed.value = null;
  };
  return (
    <Frame
      facts={[run.title, run.short].filter((fact) => fact !== '')}
      controls={<DeviceSelect devices={view.devices} />}
      details={{
        label: l10n.t('Details'),
        content: (
          <Details record={record} row={pointless === null ? selected : null} pointless={pointless} device={device} />
        ),
      }}
      status={statusText(record, { shown: drawn, beyond, all: rows, search: search.value }, took_ms)}
    >
      <OpNotices record={record} />
      <div class="tool-row">
        <Choice
          label={l10n.t('Points')}
          options={[
            { value: 'op', label: l10n.t('Ops') },
            { value: 'program', label: l10n.t('Programs') },
          ]}
          value={level.value}
          onChange={(chosen) => (level.value = chosen)}
        />
        {spaces.length < 2 ? null : (
          <Select
            label={l10n.t('Memory')}
            options={spaces.map((each) => ({ value: each, label: spaceName(each) }))}
            value={space}
            onChange={chooseSpace}
          />
        )}
        {categories.length < 2 ? null : (
          <Select
            label={l10n.t('Category')}
            options={[
              { value: '', label: l10n.t('All categories') },
              ...categories.map((each) => ({ value: each, label: each })),
            ]}
            value={category}
            onChange={(chosen) => (wishedCategory.value = chosen)}
          />
        )}
        <SearchField
          label={l10n.t('Search points')}
          value={search.value}
          onChange={(text) => (search.value = text)}
          onLeave={() => table.current?.focus()}
        />
      </div>
      <RooflineChart
        label={l10n.t('FLOP rate over intensity')}
        all={ofSpace}
        rows={drawn}
        roofs={roofs}
        shown={shownView}
        isZoomed={zoomed.value !== null}
        onView={(shown) => (zoomed.value = shown)}
        selected={selected}
        onSelect={select}
        onGo={go}
      />
      <Table
        label={l10n.t('Points of the roofline')}
        columns={columns}
        state={state}
        search={search.value}
        roots={rows}
        keyOf={keyOf}
        textOf={searchedText}
        onOpen={go}
        onSelect={select}
        menuOf={(row) => [
          ...(row.file === null
            ? []
            : [{ label: l10n.t('Go to Line'), keys: l10n.t('Enter'), run: () => void go(row) }]),
          ...showInItems(page, selectionOf(row) ?? programOf(row)),
        ]}
        nothingFound={l10n.t('No row has “{0}”.', search.value.trim())}
        focusRef={table}
      />
    </Frame>
  );
}

/** The same op is the same row in every memory space. */
const keyOf = (row: RooflineRow): string => row.op_key ?? row.key;
const searchedText = (row: RooflineRow): string =>
  [row.label, row.category, row.element_type, row.path ?? '', String(row.line ?? '')].join('\n');

function selectionOf({ op_key: key, file, line }: RooflineRow): Selection | null {
  return key === null ? null : { kind: 'op', key, file, line };
}

function programOf({ kind, label }: RooflineRow): Selection | null {
  return kind === 'program' ? { kind, name: label, file: null, line: null } : null;
}
