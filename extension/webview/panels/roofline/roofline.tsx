// The panel Roofline.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { RooflineRecord, RooflineRow, ViewAnswer } from '../../../src/protocol';
import { selfTimeText } from '../../shared/comparison/columns';
import { useComparedRows } from '../../shared/comparison/comparedRows';
import { Choice } from '../../shared/controls/choice';
import { useDevice } from '../../shared/controls/deviceSelect';
import { ListPanel } from '../../shared/frame/listPanel';
import { namedOp, searchedName } from '../../shared/op/opName';
import { Findings } from '../../shared/findings/findings';
import { spaceName } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { Select } from '../../shared/controls/select';
import { greatest } from '../../shared/table/greatest';
import { search as searched, wordsOf } from '../../shared/table/search';
import { tableState } from '../../shared/table/tableState';
import { RooflineChart } from './chart';
import { rooflineColumns, TIME_COLUMN } from './columns';
import { Details } from './details';
import { panel } from './panel';
import {
  categoriesOf,
  ceilingOf,
  ceilingsOver,
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
import { statusParts } from './status';

export function Roofline() {
  const device = useDevice();
  return <RecordView panel={panel} params={{ device }} show={(view) => <RooflineOfOps view={view} />} />;
}

function RooflineOfOps({ view }: { readonly view: ViewAnswer<RooflineRecord> }) {
  const { record } = view;
  const { host, saved } = usePage();
  const level = saved.signal<Level>('level', 'op');
  const chosenSpace = saved.signal('space', 'main');
  const chosenCategory = saved.signal('category', '');
  const zoomed = saved.signal<View | null>('view', null);
  const search = saved.signal('search', '');
  const state = tableState(saved, 'table', { column: TIME_COLUMN, descending: true });

  const spaces = useMemo(() => spacesOf(record), [record]);
  const space = spaces.includes(chosenSpace.value) ? chosenSpace.value : (spaces[0] ?? '');
  const ofSpace = useMemo(() => chosenRows(record, level.value, space), [record, level.value, space]);
  const categories = useMemo(() => categoriesOf(ofSpace), [ofSpace]);
  const category = categories.includes(chosenCategory.value) ? chosenCategory.value : '';
  const rows = useMemo(
    () => (category === '' ? ofSpace : ofSpace.filter((row) => row.category === category)),
    [ofSpace, category],
  );
  const roofs = useMemo(() => roofsOver(record, space), [record, space]);
  const ceilings = useMemo(() => ceilingsOver(record, space), [record, space]);
  const selection = host.facts.value?.selection ?? null;
  /** The key of an op that is selected in other panels and has no point here. */
  const opWithoutPoint =
    selection?.kind === 'op' && rowToShow(record, selection, space) === null ? selection.key : null;
  const selected = rows.find((row) => keyOf(row) === state.selected.value) ?? null;
  const select = (row: RooflineRow): void => {
    state.selected.value = keyOf(row);
    host.select(row.kind === 'op' ? selectionOf(row) : null);
  };
  /** Shows the op, or the heaviest one of a line, whatever is filtered. */
  const follow = (selection: Selection): void => {
    if (selection.kind === 'category') {
      level.value = 'op';
      chosenCategory.value = selection.name;
      return;
    }
    const row = rowToShow(record, selection, space);
    if (row !== null) {
      level.value = row.kind;
      chosenSpace.value = row.space;
      if (category !== '' && row.category !== category) {
        chosenCategory.value = '';
      }
      state.selected.value = keyOf(row);
    }
  };

  const columns = useMemo(
    () =>
      rooflineColumns({
        op_time_ps: record.op_time_ps,
        longest_ps: greatest(rows, ({ self_ps }) => self_ps),
        hasRoofs: roofs.length > 0,
        ceilingOf: ceilings.length === 0 ? null : (row) => ceilingOf(row, ceilings, roofs),
      }),
    [rows, roofs, ceilings],
  );
  const compared = useComparedRows<RooflineRow>('op', {
    keysOf: comparedKeys,
    meaning: selfTimeText(),
    isOfAllSteps: true,
    extent: record.extent,
    isFiltered: level.value !== 'op' || category !== '' || spaces.length > 1,
  });
  const drawn = useMemo(() => {
    const hits = searched({ roots: rows, keyOf, textOf }, columns, wordsOf(search.value));
    return hits === null ? rows : rows.filter((row) => hits.rows.has(row));
  }, [rows, columns, search.value]);
  const shownView = useMemo(
    () => (zoomed.value === null ? fittedView(ofSpace, roofs) : viewWithin(zoomed.value, ofSpace, roofs)),
    [zoomed.value, ofSpace, roofs],
  );
  const beyond = useMemo(() => rowsBeyond(drawn, shownView), [drawn, shownView]);
  return (
    <ListPanel
      view={view}
      extent={record.extent}
      details={
        <Details record={record} row={opWithoutPoint === null ? selected : null} opWithoutPoint={opWithoutPoint} />
      }
      status={statusParts(record, { shown: drawn, beyond, all: rows, search: search.value })}
      selected={selected}
      onFollow={follow}
      head={<Findings findings={record.findings} />}
      search={search}
      searchLabel={l10n.t('Search points')}
      tools={
        <>
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
              onChange={(chosen) => {
                chosenSpace.value = chosen;
                zoomed.value = null;
              }}
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
              onChange={(chosen) => (chosenCategory.value = chosen)}
            />
          )}
        </>
      }
      picture={
        <RooflineChart
          all={ofSpace}
          rows={drawn}
          roofs={roofs}
          ceilings={ceilings}
          shown={shownView}
          isZoomed={zoomed.value !== null}
          onView={(shown) => (zoomed.value = shown)}
          selected={selected}
          onSelect={select}
        />
      }
      label={l10n.t('Points of the roofline')}
      columns={columns}
      compared={compared}
      state={state}
      roots={rows}
      keyOf={keyOf}
      textOf={textOf}
      onSelect={select}
      selectionOf={selectionOf}
    />
  );
}

/** The same op is the same row in every memory space. */
const keyOf = (row: RooflineRow): string => row.op_key ?? row.key;
/** Of programs there are no rows that are compared. */
const comparedKeys = ({ op_key }: RooflineRow): readonly string[] => (op_key === null ? [] : [op_key]);
const textOf = (row: RooflineRow): string => [searchedName(namedOp(row)), row.category, row.element_type].join('\n');

function selectionOf({ kind, label, op_key: key, file, line }: RooflineRow): Selection | null {
  return kind === 'program'
    ? { kind, name: label, file: null, line: null }
    : key === null
      ? null
      : { kind: 'op', key, file, line };
}
