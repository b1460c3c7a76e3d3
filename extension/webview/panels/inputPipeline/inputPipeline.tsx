// The panel Input Pipeline.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { InputRecord, InputStage, ViewAnswer } from '../../../src/protocol';
import { PointTable } from '../../shared/charts/pointTable';
import { TableToggle } from '../../shared/charts/tableToggle';
import { roundsText } from '../../shared/comparison/columns';
import { useComparedList } from '../../shared/comparison/comparedList';
import { Choice } from '../../shared/controls/choice';
import { selectionOf } from '../../shared/controls/lineLink';
import { Findings } from '../../shared/findings/findings';
import { Figures } from '../../shared/frame/figures';
import { Frame } from '../../shared/frame/frame';
import { List } from '../../shared/frame/list';
import { useStatusLine } from '../../shared/frame/status';
import { useSharedSelection } from '../../shared/page/followSelection';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { tableState } from '../../shared/table/tableState';
import { count, dotted, duration } from '../../shared/text/format';
import { TIME } from '../../shared/text/quantities';
import { ChartView } from './chartView';
import { type DrawnChart, getsChart, queueChart, stepChart } from './charts';
import { getColumns, PER_STEP_COLUMN, readingColumns, SHARE_COLUMN, stageColumns, stepColumns } from './columns';
import { Advice, LookedCard, type Looked, noStagesText, Summary } from './details';
import { Graph } from './graph';
import { factsOfSteps, figures, spreadOf } from './head';
import './inputPipeline.css';
import { panel } from './panel';
import { statusParts } from './status';
import { Verdict } from './verdict';
import { perStepText, stageName } from './words';

/** `steps`, or of a queue by its key its sizes over time or at the gets. */
type ChartName = string;

const COMPARED = { of: 'stages', program: null, memory_space: null, snapshot: null } as const;

export function InputPipeline() {
  return <RecordView panel={panel} params={{}} show={(view) => <InputOfRun view={view} />} />;
}

function InputOfRun({ view: { record, run } }: { readonly view: ViewAnswer<InputRecord> }) {
  const { saved, host } = usePage();
  const isOfSteps = (host.facts.value?.scope ?? 'steps') === 'steps';
  const search = saved.signal('search', '');
  const wished = saved.signal<ChartName>('chart', 'steps');
  const asTable = saved.signal('asTable', false);
  const state = tableState(saved, 'stages', { column: SHARE_COLUMN, descending: true });
  const [looked, setLooked] = useState<Looked | null>(null);
  const [point, setPoint] = useState<number | null>(null);
  const compared = useComparedList<InputStage>(COMPARED, {
    quantity: TIME,
    meaning: perStepText(),
    behind: PER_STEP_COLUMN,
  });
  const isCompared = compared !== null;
  const columns = useMemo(() => stageColumns(record, isCompared), [record, isCompared]);
  const chosen = useMemo(() => chartOf(record, wished.value), [record, wished.value]);
  // What was looked at in another record is nowhere any more.
  useEffect(() => {
    setLooked(null);
    setPoint(null);
  }, [record]);
  useEffect(() => setPoint(null), [wished.value]);

  const look = (next: Looked | null): void => {
    setLooked(next);
    if (next?.kind !== 'stage') {
      // A row that is pressed again is then looked at again.
      state.selected.value = null;
    }
  };
  const lookAtStage = (stage: InputStage): void => {
    look({ kind: 'stage', key: stage.key });
    host.select(selectionOf(stage));
  };
  useSharedSelection(JSON.stringify(record.stages.map(({ key }) => key)), (selection) => {
    const { stages } = record;
    const stage =
      selection.kind === 'line'
        ? stages.find(({ file, line }) => file === selection.file && line === selection.line)
        : undefined;
    if (stage !== undefined) {
      // What a search hides is not seen to be selected.
      search.value = '';
      state.selected.value = stage.key;
      setLooked({ kind: 'stage', key: stage.key });
    }
  });
  const pick = (at: number | null): void => {
    setPoint(at);
    look(at === null || !chosen.isOfSteps ? null : { kind: 'step', at });
  };
  const queues = record.queues;
  return (
    <Frame
      facts={[run.title, ...(isOfSteps ? [run.short] : factsOfSteps(record))].filter((fact) => fact !== '')}
      isChosen={looked !== null}
      onLetGo={() => look(null)}
      details={
        looked === null ? (
          <Summary record={record} />
        ) : (
          <>
            <Advice record={record} />
            <section class="looked-card">
              <LookedCard record={record} looked={looked} />
            </section>
          </>
        )
      }
      status={useStatusLine([roundsText(compared?.rounds ?? 1), ...statusParts(record)])}
    >
      <Figures label={l10n.t('The input in short')} figures={figures(record)} />
      <Findings findings={record.findings} />
      <div class="advice-above">
        <Advice record={record} />
      </div>
      <Verdict record={record} />
      <Graph
        record={record}
        looked={looked?.kind === 'operation' ? looked.key : null}
        onLook={(key) => look({ kind: 'operation', key })}
        onGoToLine={(operation) => void host.goToLineOf(operation)}
      />
      <div class="tool-row">
        {queues.length === 0 ? null : (
          <Choice<ChartName>
            label={l10n.t('Chart')}
            options={[
              { value: 'steps', label: l10n.t('Steps') },
              ...queues.flatMap(({ key, name }) => [
                { value: `time ${key}`, label: queues.length === 1 ? l10n.t('Queue') : l10n.t('Queue {0}', name) },
                { value: `gets ${key}`, label: queues.length === 1 ? l10n.t('At Gets') : l10n.t('{0} at Gets', name) },
              ]),
            ]}
            value={chosen.name}
            onChange={(name) => (wished.value = name)}
          />
        )}
        <span class="spacer" />
        <TableToggle asTable={asTable} />
      </div>
      {asTable.value ? (
        <PointTable
          key={chosen.name}
          name={`points of ${chosen.name}`}
          label={chosen.chart.label}
          columns={chosen.columns}
          points={chosen.chart.points}
          onPick={pick}
          onSelect={pick}
        />
      ) : (
        <ChartView
          key={chosen.name}
          chart={chosen.chart}
          point={point ?? (looked?.kind === 'step' && chosen.isOfSteps ? looked.at : null)}
          onRead={setPoint}
          onPick={pick}
          textAt={chosen.textAt}
          level={chosen.level}
        />
      )}
      {record.stages.length === 0 ? (
        <p class="no-stages quiet">{noStagesText(record)}</p>
      ) : (
        <List
          search={search}
          searchLabel={l10n.t('Search stages')}
          label={l10n.t('Stages')}
          columns={columns}
          compared={compared}
          state={state}
          roots={record.stages}
          keyOf={({ key }) => key}
          textOf={(stage) => `${stageName(stage)}\n${stage.thread_names.join('\n')}`}
          selectionOf={selectionOf}
          onSelect={lookAtStage}
        />
      )}
    </Frame>
  );
}

interface ChosenChart {
  readonly name: ChartName;
  readonly chart: DrawnChart;
  readonly columns: ReturnType<typeof stepColumns>;
  /** Whether its points are steps. */
  readonly isOfSteps: boolean;
  readonly textAt: (point: number) => string;
  readonly level: { readonly value: number; readonly text: string } | null;
}

/** The chart of a name; the steps where there is none of it. */
function chartOf(record: InputRecord, name: ChartName): ChosenChart {
  const queue = record.queues.find(({ key }) => name === `time ${key}` || name === `gets ${key}`);
  if (queue === undefined) {
    const mean = spreadOf(record, 'input')?.mean_ps ?? 0;
    return {
      name: 'steps',
      chart: stepChart(record),
      columns: stepColumns(record),
      isOfSteps: true,
      textAt: (at) => stepText(record, at),
      level: mean === 0 ? null : { value: mean, text: l10n.t('mean waiting {0}', duration(mean)) },
    };
  }
  const level =
    queue.capacity === null ? null : { value: queue.capacity, text: l10n.t('{0} at most', count(queue.capacity)) };
  const isOfSteps = name.startsWith('gets ');
  return {
    name,
    chart: isOfSteps ? getsChart(queue) : queueChart(queue, record.window_ps),
    columns: isOfSteps ? getColumns(queue) : readingColumns(queue),
    isOfSteps,
    textAt: (at) => {
      const held = isOfSteps ? queue.step_held[at] : queue.held[at];
      const where = isOfSteps ? l10n.t('step {0}', count(at + 1)) : duration(queue.times_ps[at] ?? 0);
      return dotted([
        where,
        held === null || held === undefined ? l10n.t('not read') : l10n.t('holds {0}', count(held)),
      ]);
    },
    level,
  };
}

/** A step in one line. */
function stepText({ steps }: InputRecord, at: number): string {
  const step = steps[at];
  return step === undefined
    ? ''
    : dotted([
        l10n.t('step {0}', count(at + 1)),
        l10n.t('takes {0}', duration(step.duration_ps)),
        l10n.t('idle {0}', duration(step.idle_ps)),
        step.input_ps === null ? null : l10n.t('waits for input {0}', duration(step.input_ps)),
        step.is_steady ? null : l10n.t('compiles'),
      ]);
}
