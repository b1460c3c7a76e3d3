// The panel Comparison.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { ComparedBy, ComparedRow, ComparisonRecord, ViewAnswer } from '../../../src/protocol';
import { useComparedWith } from '../../shared/comparison/comparison';
import '../../shared/comparison/comparison.css';
import { groupingName } from '../../shared/comparison/words';
import { Choice } from '../../shared/controls/choice';
import { IconButton } from '../../shared/controls/elements';
import { Select } from '../../shared/controls/select';
import { sentences } from '../../shared/findings/findings';
import { Frame } from '../../shared/frame/frame';
import { List } from '../../shared/frame/list';
import { foundText, useStatusLine } from '../../shared/frame/status';
import { usePage } from '../../shared/page/page';
import { useSharedSelection } from '../../shared/page/followSelection';
import { RecordView } from '../../shared/page/recordView';
import { Empty } from '../../shared/page/states';
import { search as searched, wordsOf } from '../../shared/table/search';
import { tableState } from '../../shared/table/tableState';
import { comparisonColumns } from './columns';
import './comparison.css';
import { RowDetails, WholeDetails } from './details';
import { Head } from './head';
import { MemoryCurves } from './memory';
import { panel } from './panel';
import { goTo, openBefore, placeBefore, placeAfter } from './places';
import { Quantities } from './quantities';
import { amountsText, selectionOf } from './rows';
import { statusParts } from './status';
import { StepsOfBoth } from './steps';

type ViewName = 'rows' | 'quantities' | 'steps' | 'memory';

const GROUPINGS: readonly ComparedBy[] = ['line', 'op', 'scope', 'step', 'memory', 'shape'];

export function Comparison() {
  const { host, saved } = usePage();
  const by = saved.signal<ComparedBy>('by', 'line');
  const facts = host.facts.value;
  const sides = useComparedWith().value;
  if (facts !== null && facts.daemonState === 'running' && facts.shownRun !== null && sides === null) {
    return (
      <main>
        <Empty
          reason={l10n.t('The run that is shown is compared with no other.')}
          remedy={l10n.t('Choose what was before it, or profile it once more.')}
          remedies={[
            'scopelight.compareWith',
            ...(facts.trusted ? (['scopelight.profileAgainAndCompare'] as const) : []),
          ]}
        />
      </main>
    );
  }
  return (
    <RecordView
      // What is compared with something else is another record.
      key={JSON.stringify(sides)}
      panel={panel}
      params={{ by: by.value }}
      isEmpty={() => false}
      remedies={['scopelight.compareWith', 'scopelight.stopComparing']}
      show={(view) => <ComparisonOfRun view={view} by={by.value} onBy={(chosen) => (by.value = chosen)} />}
    />
  );
}

function ComparisonOfRun(props: {
  readonly view: ViewAnswer<ComparisonRecord>;
  readonly by: ComparedBy;
  readonly onBy: (by: ComparedBy) => void;
}) {
  const { record, run } = props.view;
  const { host, saved } = usePage();
  const sides = useComparedWith().value;
  const wished = saved.signal<ViewName>('view', 'rows');
  const search = saved.signal('search', '');
  const state = tableState(saved, record.by, { column: '', descending: false });
  const columns = useMemo(() => comparisonColumns(record), [record]);
  const hits = searched({ roots: record.rows, keyOf }, columns, wordsOf(search.value));
  const selected = record.rows.find(({ key }) => key === state.selected.value) ?? null;
  const views: readonly ViewName[] = record.has_steps
    ? ['rows', 'quantities', 'steps', 'memory']
    : ['rows', 'quantities', 'memory'];
  const shown = views.includes(wished.value) ? wished.value : 'rows';
  useSharedSelection(record.by, (selection) => {
    const row = record.rows.find((each) => {
      const own = selectionOf(each);
      return own !== null && JSON.stringify(own) === JSON.stringify(selection);
    });
    if (row !== undefined) {
      state.selected.value = row.key;
    }
  });
  const why = record.findings.find(({ severity }) => severity === 'empty');
  const status = useStatusLine([
    foundText(search.value, hits?.rows.size ?? 0, record.rows.length),
    ...statusParts(record),
  ]);
  return (
    <Frame
      facts={[run.title, ...(sides === null ? [] : [l10n.t('since {0}', sides.since)])]}
      controls={
        <>
          <IconButton
            icon="git-compare"
            label={l10n.t('Compare with…')}
            onPress={() => host.run('scopelight.compareWith')}
          />
          <IconButton
            icon="close"
            label={l10n.t('Stop Comparing')}
            onPress={() => host.run('scopelight.stopComparing')}
          />
        </>
      }
      isChosen={shown === 'rows' && selected !== null}
      onLetGo={() => (state.selected.value = null)}
      details={
        shown === 'rows' && selected !== null ? (
          <RowDetails row={selected} record={record} />
        ) : (
          <WholeDetails record={record} />
        )
      }
      status={status}
    >
      <Head record={record} />
      <div class="tool-row">
        <Choice<ViewName>
          label={l10n.t('What is shown')}
          options={views.map((value) => ({ value, label: viewName(value) }))}
          value={shown}
          onChange={(value) => (wished.value = value)}
        />
      </div>
      {shown === 'quantities' ? (
        <Quantities record={record} />
      ) : shown === 'steps' ? (
        <StepsOfBoth record={record} />
      ) : shown === 'memory' ? (
        <MemoryCurves />
      ) : (
        <List<ComparedRow>
          search={search}
          searchLabel={l10n.t('Search rows')}
          tools={
            <Select<ComparedBy>
              label={l10n.t('By')}
              options={GROUPINGS.map((value) => ({ value, label: groupingName(value) }))}
              value={props.by}
              onChange={props.onBy}
            />
          }
          picture={<p class="amounts quiet">{amountsText(record)}</p>}
          arrangement={record.by}
          label={l10n.t('What changed')}
          columns={columns}
          state={state}
          roots={record.rows}
          keyOf={keyOf}
          isLast={({ kind }) => kind === 'rest'}
          classOf={({ kind, verdict }) => (kind === 'rest' || verdict === 'same' ? 'quiet' : '')}
          onOpen={(row) => goTo(host, row)}
          onSelect={(row) => host.select(selectionOf(row))}
          selectionOf={selectionOf}
          empty={why === undefined ? <p>{l10n.t('There is nothing to show.')}</p> : <p>{sentences([why])[0]}</p>}
          menuOf={(row) => [
            ...(placeBefore(row) === null
              ? []
              : [{ label: l10n.t('Open the Source As It Was'), run: () => void openBefore(host, row) }]),
            ...(placeBefore(row) === null && placeAfter(row) === null
              ? []
              : [
                  {
                    label: l10n.t('Show Source Changes'),
                    run: () => host.showSourceChanges(placeBefore(row), placeAfter(row)),
                  },
                ]),
          ]}
        />
      )}
    </Frame>
  );
}

const keyOf = ({ key }: ComparedRow): string => key;

function viewName(view: ViewName): string {
  return {
    rows: l10n.t('Changes'),
    quantities: l10n.t('Whole runs'),
    steps: l10n.t('Steps'),
    memory: l10n.t('Memory'),
  }[view];
}
