// The panel Compatibility.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { CompatibilityOp, CompatibilityPlace, CompatibilityRecord, ViewAnswer } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { Findings } from '../../shared/findings/findings';
import { Figures, quantityFigure } from '../../shared/frame/figures';
import { ListPanel } from '../../shared/frame/listPanel';
import { foundText } from '../../shared/frame/status';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { search as searchRows, wordsOf } from '../../shared/table/search';
import { tableState } from '../../shared/table/tableState';
import { count, share } from '../../shared/text/format';
import { COUNT, RATIO } from '../../shared/text/quantities';
import { opColumns, placeColumns, VALID_COLUMN, VERDICT_COLUMN } from './columns';
import './compatibility.css';
import { AllDetails, OpDetails, PlaceDetails } from './details';
import { panel } from './panel';
import {
  capital,
  compiledName,
  countOf,
  isProgram,
  type PlaceKind,
  whyText,
  statusParts,
  VERDICTS,
  verdictWord,
} from './words';

type ListName = 'ops' | PlaceKind;

interface ListOfRun {
  readonly view: ViewAnswer<CompatibilityRecord>;
  readonly tools: preact.JSX.Element;
}

export function Compatibility() {
  return <RecordView panel={panel} params={{}} show={(view) => <CompatibilityOfRun view={view} />} />;
}

function CompatibilityOfRun({ view }: { readonly view: ViewAnswer<CompatibilityRecord> }) {
  const { saved } = usePage();
  // Where all of them are native there is none to list.
  const list = saved.signal<ListName>('list', view.record.ops.length === 0 ? 'line' : 'ops');
  const tools = (
    <Choice<ListName>
      label={l10n.t('List')}
      options={[
        { value: 'ops', label: l10n.t('Ops') },
        { value: 'line', label: l10n.t('Lines') },
        { value: 'function', label: l10n.t('Functions') },
        { value: 'scope', label: l10n.t('Scopes') },
        { value: 'program', label: l10n.t('Programs') },
      ]}
      value={list.value}
      onChange={(chosen) => (list.value = chosen)}
    />
  );
  return list.value === 'ops' ? (
    <OpList key="ops" view={view} tools={tools} />
  ) : (
    <PlaceList key={list.value} kind={list.value} view={view} tools={tools} />
  );
}

function OpList({ view, tools }: ListOfRun) {
  const { record } = view;
  const { host, saved } = usePage();
  const search = saved.signal('search', '');
  const state = tableState(saved, 'ops', { column: VERDICT_COLUMN, descending: false });
  const columns = useMemo(opColumns, []);
  const selected = record.ops.find(({ key }) => key === state.selected.value) ?? null;
  const found = searchRows({ roots: record.ops, keyOf, textOf: textOfOp }, columns, wordsOf(search.value));
  return (
    <ListPanel<CompatibilityOp>
      view={{ run: view.run }}
      head={<Head record={record} />}
      tools={tools}
      details={selected === null ? <AllDetails record={record} /> : <OpDetails op={selected} />}
      isChosen={selected !== null}
      status={statusParts(
        record,
        l10n.t('{0} not native', count(record.ops.reduce((sum, op) => sum + op.count, 0))),
        foundText(search.value, found?.rows.size ?? 0, record.ops.length),
      )}
      search={search}
      searchLabel={l10n.t('Search ops')}
      label={l10n.t('Ops that are not native')}
      columns={columns}
      state={state}
      roots={record.ops}
      keyOf={keyOf}
      textOf={textOfOp}
      selectionOf={lineOf}
      onSelect={(row) => host.select(lineOf(row))}
      selected={selected}
      onFollow={(selection) => {
        const row = record.ops.find((each) => isOf(each, selection));
        if (row !== undefined) {
          state.selected.value = row.key;
        }
      }}
    />
  );
}

function PlaceList({ view, tools, kind }: ListOfRun & { readonly kind: PlaceKind }) {
  const { record } = view;
  const { host, saved } = usePage();
  const search = saved.signal('search', '');
  const state = tableState(saved, kind, { column: VALID_COLUMN, descending: false });
  const places = placesOf(record, kind);
  const columns = useMemo(() => placeColumns(kind, places), [kind, places]);
  const selected = places.find(({ key }) => key === state.selected.value) ?? null;
  const ops = useMemo(
    () => (selected === null ? [] : record.ops.filter((op) => isIn(op, selected))),
    [record, selected],
  );
  const found = searchRows({ roots: places, keyOf, textOf: textOfPlace }, columns, wordsOf(search.value));
  return (
    <ListPanel<CompatibilityPlace>
      view={{ run: view.run }}
      head={<Head record={record} />}
      tools={tools}
      details={selected === null ? <AllDetails record={record} /> : <PlaceDetails place={selected} ops={ops} />}
      isChosen={selected !== null}
      status={statusParts(
        record,
        listedText(kind, places.length),
        foundText(search.value, found?.rows.size ?? 0, places.length),
      )}
      arrangement={kind}
      search={search}
      searchLabel={l10n.t('Search names and files')}
      label={l10n.t('Share of ops that are valid')}
      columns={columns}
      state={state}
      roots={places}
      keyOf={keyOf}
      textOf={textOfPlace}
      selectionOf={selectionOf}
      onSelect={(row) => host.select(selectionOf(row))}
      selected={selected}
      onFollow={(selection) => {
        const row = places.find((each) => isSelected(each, selection));
        if (row !== undefined) {
          state.selected.value = row.key;
        }
      }}
    />
  );
}

function Head({ record }: { readonly record: CompatibilityRecord }) {
  const { total } = record;
  return (
    <>
      {total === null ? null : (
        <Figures
          label={l10n.t('Compatibility')}
          figures={[
            quantityFigure(l10n.t('Valid'), RATIO, total.valid_ratio, l10n.t('of {0} ops', count(total.ops)), {
              meaning: l10n.t('What the TPU computes, by itself, as pairs of numbers, or with the host'),
            }),
            ...VERDICTS.map((verdict) => {
              const { text, meaning } = verdictWord(verdict);
              const number = countOf(total, verdict);
              return quantityFigure(capital(text), COUNT, number, share(number / total.ops), { meaning });
            }),
          ]}
        />
      )}
      <Findings findings={record.findings} />
    </>
  );
}

const keyOf = ({ key }: { readonly key: string }): string => key;
const textOfOp = (op: CompatibilityOp): string => [op.primitive, op.path ?? '', op.scope, whyText(op)].join('\n');
const textOfPlace = ({ name, path }: CompatibilityPlace): string => `${name}\n${path ?? ''}`;

function placesOf(record: CompatibilityRecord, kind: PlaceKind): readonly CompatibilityPlace[] {
  return { program: record.programs, function: record.functions, line: record.lines, scope: record.scopes }[kind];
}

function listedText(kind: PlaceKind, number: number): string {
  return {
    program: l10n.t('{0} names of programs', count(number)),
    function: l10n.t('{0} functions', count(number)),
    line: l10n.t('{0} lines', count(number)),
    scope: l10n.t('{0} scopes', count(number)),
  }[kind];
}

function lineOf({ file, line }: { readonly file: string | null; readonly line: number | null }): Selection | null {
  return file === null || line === null ? null : { kind: 'line', file, line };
}

function selectionOf(place: CompatibilityPlace): Selection | null {
  return place.kind === 'scope' || place.kind === 'program'
    ? {
        kind: place.kind,
        name: place.kind === 'program' ? compiledName(place.name) : place.name,
        file: null,
        line: null,
      }
    : lineOf(place);
}

/** Whether an op is what another panel has selected, or in it. */
function isOf(op: CompatibilityOp, selection: Selection): boolean {
  switch (selection.kind) {
    case 'line':
      return op.file === selection.file && op.line === selection.line;
    case 'scope':
      return isWithin(op.scope, selection.name);
    case 'program':
      return op.programs.some((name) => isProgram(name, selection.name));
    default:
      return false;
  }
}

function isSelected(place: CompatibilityPlace, selection: Selection): boolean {
  switch (selection.kind) {
    case 'line':
      return place.file === selection.file && place.line === selection.line;
    case 'program':
      return place.kind === 'program' && isProgram(place.name, selection.name);
    default:
      return selection.kind === place.kind && selection.name === place.name;
  }
}

/** Whether an op is counted in a place. */
function isIn(op: CompatibilityOp, place: CompatibilityPlace): boolean {
  switch (place.kind) {
    case 'program':
      return op.programs.includes(place.name);
    case 'scope':
      return isWithin(op.scope, place.name);
    case 'line':
      return op.line_key === place.key;
    case 'function':
      return op.file === place.file && op.function === place.name;
  }
}

function isWithin(scope: string, outer: string): boolean {
  return scope === outer || scope.startsWith(`${outer}/`);
}
