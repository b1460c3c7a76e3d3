// The panel Programs.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { CompilationRow, ProgramRow, ProgramsRecord, ViewAnswer } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { Findings } from '../../shared/findings/findings';
import { ListPanel } from '../../shared/frame/listPanel';
import { foundText } from '../../shared/frame/status';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { search as searchRows, wordsOf } from '../../shared/table/search';
import { tableState } from '../../shared/table/tableState';
import { COMPILE_COLUMN, compilationColumns, programColumns, TIME_COLUMN } from './columns';
import { useComparedPrograms } from './compared';
import { AllCard, CompilationCard, ProgramCard } from './details';
import { panel } from './panel';
import './programs.css';
import { programName, searchedText, statusParts } from './words';

type ListName = 'programs' | 'compilations';

export function Programs() {
  return <RecordView panel={panel} params={{}} show={(view) => <ProgramsOfRun view={view} />} />;
}

function ProgramsOfRun({ view }: { readonly view: ViewAnswer<ProgramsRecord> }) {
  const { record } = view;
  const { saved } = usePage();
  const list = saved.signal<ListName>('list', 'programs');
  const tools =
    record.compilations.length === 0 ? null : (
      <Choice<ListName>
        label={l10n.t('List')}
        options={[
          { value: 'programs', label: l10n.t('Programs') },
          { value: 'compilations', label: l10n.t('Compilations') },
        ]}
        value={list.value}
        onChange={(chosen) => (list.value = chosen)}
      />
    );
  return list.value === 'compilations' && tools !== null ? (
    <CompilationList key="compilations" view={view} tools={tools} />
  ) : (
    <ProgramList key="programs" view={view} tools={tools} />
  );
}

interface ListOfRun {
  readonly view: ViewAnswer<ProgramsRecord>;
  readonly tools: preact.JSX.Element | null;
}

function ProgramList({ view, tools }: ListOfRun) {
  const { record } = view;
  const { saved, host } = usePage();
  const search = saved.signal('search', '');
  const state = tableState(saved, 'programs', { column: TIME_COLUMN, descending: true });
  const columns = useMemo(() => programColumns(record), [record]);
  const compared = useComparedPrograms();
  const selected = record.rows.find(({ key }) => key === state.selected.value) ?? null;
  const source = { roots: record.rows, keyOf, textOf: searchedText };
  const found = searchRows(source, columns, wordsOf(search.value))?.rows.size ?? 0;
  return (
    <ListPanel<ProgramRow>
      view={{ run: view.run }}
      head={<Findings findings={record.findings} />}
      tools={tools}
      details={
        selected === null ? <AllCard record={record} /> : <ProgramCard row={selected} selection={asProgram(selected)} />
      }
      isChosen={selected !== null}
      status={[foundText(search.value, found, record.rows.length), ...statusParts(record)]}
      search={search}
      searchLabel={l10n.t('Search programs and arguments')}
      label={l10n.t('Programs')}
      columns={columns}
      compared={compared}
      state={state}
      roots={record.rows}
      keyOf={keyOf}
      textOf={searchedText}
      selectionOf={asProgram}
      onSelect={(row) => host.select(asProgram(row))}
      selected={selected}
      onFollow={(selection) => {
        const row = record.rows.find(
          (each) => selection.kind === 'program' && [each.name, programName(each)].includes(selection.name),
        );
        if (row !== undefined) {
          state.selected.value = row.key;
        }
      }}
    />
  );
}

function CompilationList({ view, tools }: ListOfRun) {
  const { record } = view;
  const { saved } = usePage();
  const search = saved.signal('search', '');
  const state = tableState(saved, 'compilations', { column: COMPILE_COLUMN, descending: true });
  const columns = useMemo(compilationColumns, []);
  const { compilations } = record;
  const selected = compilations.find(({ key }) => key === state.selected.value) ?? null;
  return (
    <ListPanel<CompilationRow>
      view={{ run: view.run }}
      head={<Findings findings={record.findings} />}
      tools={tools}
      details={selected === null ? <AllCard record={record} /> : <CompilationCard row={selected} />}
      isChosen={selected !== null}
      status={statusParts(record)}
      search={search}
      searchLabel={l10n.t('Search compilations')}
      label={l10n.t('Compilations')}
      columns={columns}
      state={state}
      roots={compilations}
      keyOf={keyOf}
      textOf={(row) => `${row.function}\n${row.path ?? ''}`}
      selectionOf={({ file, line }) => (file === null || line === null ? null : { kind: 'line', file, line })}
      selected={selected}
      onFollow={() => undefined}
    />
  );
}

function asProgram(row: ProgramRow): Selection {
  return { kind: 'program', name: programName(row), file: null, line: null };
}

const keyOf = ({ key }: { readonly key: string }): string => key;
