// The panel Query.

import * as l10n from '@vscode/l10n';
import { useMemo, useRef } from 'preact/hooks';
import type { QueryAnswer, QuerySchema, ViewAnswer } from '../../../src/protocol';
import { TableToggle } from '../../shared/charts/tableToggle';
import { Icon, ProgressRing } from '../../shared/controls/elements';
import { selectionOf } from '../../shared/controls/lineLink';
import { Frame } from '../../shared/frame/frame';
import { List } from '../../shared/frame/list';
import { foundText, useStatusLine } from '../../shared/frame/status';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { Empty } from '../../shared/page/states';
import { search as searchRows, wordsOf } from '../../shared/table/search';
import { tableState } from '../../shared/table/tableState';
import { count, dotted, measuredDuration } from '../../shared/text/format';
import { Prose } from '../../shared/text/prose';
import { type AnswerRow, answerRows, searchedText } from './answerRows';
import { type Asked, useAsking } from './asking';
import { AnswerChart } from './chart';
import { chartOf } from './chartOf';
import { answerColumns, fittedColumns } from './columns';
import { panel } from './panel';
import './query.css';
import { QueryEditor } from './queryEditor';
import { SchemaPane } from './schemaPane';

/** In the order in which the query has them: no column has this name. */
const UNSORTED = { column: '', descending: false };

export function Query() {
  const { host } = usePage();
  if (host.facts.value?.isReport === true) {
    return (
      <main>
        <Empty reason={l10n.t('A report holds no tables to be asked: open the run itself to query it.')} />
      </main>
    );
  }
  return <RecordView panel={panel} params={{}} show={(view) => <QueryOfRun view={view} />} />;
}

function QueryOfRun({ view }: { readonly view: ViewAnswer<QuerySchema> }) {
  const { record, run } = view;
  const { saved, host } = usePage();
  const text = saved.signal('query', '');
  const open = saved.signal<readonly string[]>('openTables', []);
  const field = useRef<HTMLTextAreaElement>(null);
  const { shown, isAsking, ask, cancel } = useAsking(run.path);
  const search = saved.signal('search', '');
  const unasked = useStatusLine([l10n.t('Queries read the tables of this run and nothing else')]);
  return (
    <Frame
      facts={[run.title, run.short].filter((fact) => fact !== '')}
      details={
        <SchemaPane
          schema={record}
          open={open.value}
          onOpen={(next) => (open.value = next)}
          onName={(name) => (text.value = inserted(field.current, text.value, name))}
        />
      }
      status={shown.state === 'answered' ? statusText(shown, search.value) : unasked}
    >
      <QueryEditor
        text={text.value}
        onText={(next) => (text.value = next)}
        examples={record.examples}
        earlier={host.facts.value?.queries ?? []}
        isAsking={isAsking}
        onAsk={ask}
        onCancel={cancel}
        fieldRef={field}
      />
      <div class="answer" aria-busy={isAsking}>
        {isAsking ? (
          <p class="asking" role="status">
            <ProgressRing /> {l10n.t('Asking…')}
          </p>
        ) : null}
        <Answered shown={shown} isMissing={!record.is_installed} />
      </div>
    </Frame>
  );
}

function Answered({ shown, isMissing }: { readonly shown: Asked; readonly isMissing: boolean }) {
  switch (shown.state) {
    case 'answered':
      return <AnswerOf shown={shown} />;
    case 'failed':
      return shown.isMissing ? (
        <Missing />
      ) : (
        <p class="query-failed" role="alert">
          <Icon name="error" />{' '}
          <span>
            <Prose text={shown.sentence} />
          </span>
        </p>
      );
    case 'cancelled':
      return <Empty reason={l10n.t('The query was ended before it had an answer.')} />;
    case 'asking':
    case 'none':
      return isMissing ? (
        <Missing />
      ) : (
        <Empty reason={l10n.t('Write a query, or choose an example: the tables are beside it.')} />
      );
  }
}

/** The daemon has no DuckDB where it runs. */
function Missing() {
  return (
    <Empty
      reason={l10n.t('Queries need DuckDB, which is not installed where the daemon runs. It takes 65 MB there.')}
      remedy={l10n.t('In a terminal: {0}', "`pip install 'scopelight[sql]'`")}
      remedies={['scopelight.installQueries']}
    />
  );
}

type Answer = Extract<Asked, { state: 'answered' }>;

function AnswerOf({ shown }: { readonly shown: Answer }) {
  const { answer, outcome } = shown;
  const { saved, host } = usePage();
  const rows = useMemo(() => answerRows(answer, outcome.files), [shown]);
  const columns = useMemo(() => fittedColumns(answer, rows), [shown]);
  const chart = useMemo(() => chartOf(answer, rows), [shown]);
  const search = saved.signal('search', '');
  const asTable = saved.signal('asTable', true);
  // Another answer has other columns: what it was sorted by goes with them.
  const state = tableState(saved, `answer.${answer.columns.map(({ name }) => name).join()}`, UNSORTED);
  const selected = rows.find(({ key }) => key === state.selected.value);
  if (rows.length === 0) {
    return (
      <Empty reason={l10n.t('The query has no rows.')} remedy={answer.columns.map(({ name }) => name).join(', ')} />
    );
  }
  const toggle = chart === null ? null : <TableToggle asTable={asTable} />;
  return (
    <>
      <CutNotice answer={answer} />
      {chart !== null && !asTable.value ? (
        <>
          <div class="tool-row">
            <span class="spacer" />
            {toggle}
          </div>
          <AnswerChart answer={answer} rows={rows} chart={chart} />
        </>
      ) : (
        <List<AnswerRow>
          arrangement={columns.map(({ id }) => id).join()}
          search={search}
          searchLabel={l10n.t('Search the answer')}
          tools={
            <>
              <span class="spacer" />
              {toggle}
            </>
          }
          label={l10n.t('Answer')}
          columns={columns}
          state={state}
          roots={rows}
          keyOf={keyOf}
          textOf={searchedText}
          selectionOf={selectionOf}
          onSelect={(row) => {
            const selection = selectionOf(row);
            if (selection !== null && row !== selected) {
              host.select(selection);
            }
          }}
        />
      )}
    </>
  );
}

function CutNotice({ answer }: { readonly answer: QueryAnswer }) {
  if (!answer.is_cut) {
    return null;
  }
  return (
    <p class="notice partial" role="status">
      <Icon name="warning" />
      <span>
        {answer.left_out === null
          ? l10n.t('The first {0} rows; how many more there are was not counted in time.', count(answer.rows.length))
          : l10n.t(
              'The first {0} of {1} rows: group, or filter with where.',
              count(answer.rows.length),
              count(answer.rows.length + answer.left_out),
            )}
      </span>
    </p>
  );
}

function statusText({ answer, outcome }: Answer, search: string): string {
  const rows = answerRows(answer, outcome.files);
  const source = { roots: rows, keyOf, textOf: searchedText };
  const found = search === '' ? 0 : (searchRows(source, answerColumns(answer), wordsOf(search))?.rows.size ?? 0);
  return dotted([
    foundText(search, found, rows.length),
    rows.length === 1 ? l10n.t('1 row') : l10n.t('{0} rows', count(rows.length)),
    l10n.t('answered in {0}', measuredDuration(answer.took_ms * 1e9)),
  ]);
}

/** The query with a name where the cursor is, and the cursor after it. */
function inserted(field: HTMLTextAreaElement | null, text: string, name: string): string {
  const [from, to] = field === null ? [text.length, text.length] : [field.selectionStart, field.selectionEnd];
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const space = before === '' || /[\s(.,]$/.test(before) ? '' : ' ';
  const end = before.length + space.length + name.length;
  requestAnimationFrame(() => {
    field?.focus();
    field?.setSelectionRange(end, end);
  });
  return `${before}${space}${name}${after}`;
}

const keyOf = ({ key }: AnswerRow): string => key;
