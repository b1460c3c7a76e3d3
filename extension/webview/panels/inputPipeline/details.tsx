// The details pane of Input Pipeline: an operation, a stage, a step, or what is slow and what to do about it.

import * as l10n from '@vscode/l10n';
import type { Finding, InputOperation, InputRecord, InputSpread, InputStage } from '../../../src/protocol';
import { LineLink } from '../../shared/controls/lineLink';
import { FindingsBelow } from '../../shared/findings/findings';
import { Facts, quantityFact } from '../../shared/frame/facts';
import { PlainTable, type PlainRow } from '../../shared/frame/plainTable';
import { count, dotted, duration, exactDuration } from '../../shared/text/format';
import { COUNT, RATIO, TIME, UNKNOWN } from '../../shared/text/quantities';
import { queueOf, workersText } from './graph';
import {
  certaintyText,
  heldText,
  operationKind,
  operationName,
  queueKind,
  shortWorkName,
  stageKind,
  stageName,
} from './words';

export type Looked =
  | { readonly kind: 'operation'; readonly key: string }
  | { readonly kind: 'stage'; readonly key: string }
  | { readonly kind: 'step'; readonly at: number };

export function LookedCard({ record, looked }: { readonly record: InputRecord; readonly looked: Looked }) {
  switch (looked.kind) {
    case 'operation': {
      const operation = record.operations.find(({ key }) => key === looked.key);
      return operation === undefined ? null : <OperationCard record={record} operation={operation} />;
    }
    case 'stage': {
      const stage = record.stages.find(({ key }) => key === looked.key);
      return stage === undefined ? null : <StageCard record={record} stage={stage} />;
    }
    case 'step':
      return <StepCard record={record} at={looked.at} />;
  }
}

/** What is slow and what to do about it, or what is missing to know that. */
export function Advice({ record }: { readonly record: InputRecord }) {
  const advice = adviceOf(record);
  return advice.length === 0 ? null : (
    <section class="advice">
      <h2 class="details-title">{l10n.t('What to do')}</h2>
      <FindingsBelow findings={advice} icon="lightbulb" />
    </section>
  );
}

/** Where it is not known what the script did, what to change for that is the advice. */
function adviceOf({ findings, input_ratio: ratio }: InputRecord): readonly Finding[] {
  const advice = findings.filter(({ severity }) => severity === 'advice');
  return advice.length > 0 || ratio !== null
    ? advice
    : findings.filter(({ severity, remedy }) => severity === 'note' && remedy !== '');
}

/** Why there are no stages, and what to change. */
export function noStagesText({ input_ratio: ratio }: InputRecord): string {
  return ratio === null
    ? l10n.t(
        'No stages: where the script’s threads stood was not recorded. Capture with Scopelight, without --no-host.',
      )
    : l10n.t('No stages: nothing was seen that reads or makes data in the window.');
}

/** What is slow and what to do, then the device's side in numbers, then how all is to be read. */
export function Summary({ record }: { readonly record: InputRecord }) {
  const { findings, spreads, devices } = record;
  const advice = adviceOf(record);
  return (
    <>
      <Advice record={record} />
      <section>
        <h3>{l10n.t('Device side, per step')}</h3>
        <PlainTable
          titles={['', ...spreads.map(({ quantity }) => quantityName(quantity))]}
          rows={spreadRows(spreads)}
        />
      </section>
      {devices.length < 2 ? null : (
        <section>
          <h3>{l10n.t('By device, per step')}</h3>
          <PlainTable
            titles={[l10n.t('Device'), l10n.t('Idle'), l10n.t('Waits for input')]}
            rows={devices.map(({ name, idle_ps: idle, input_ps: input }) => ({
              key: name,
              name,
              cells: [timeCell(idle), timeCell(input)],
            }))}
          />
        </section>
      )}
      <FindingsBelow findings={findings.filter((each) => each.severity === 'note' && !advice.includes(each))} />
    </>
  );
}

/** A quantity to a column: there are few of them, and their names are longer than numbers. */
function spreadRows(spreads: readonly InputSpread[]): readonly PlainRow[] {
  const row = (name: string, of: (spread: InputSpread) => number | null): PlainRow => ({
    key: name,
    name,
    cells: spreads.map((spread) => timeCell(of(spread))),
  });
  return [
    row(l10n.t('Mean'), ({ mean_ps: time }) => time),
    row(l10n.t('σ'), ({ sigma_ps: time }) => time),
    row(l10n.t('Least'), ({ least_ps: time }) => time),
    row(l10n.t('Most'), ({ greatest_ps: time }) => time),
  ];
}

function timeCell(time_ps: number | null): { readonly text: string; readonly exact: string } {
  return time_ps === null ? { text: UNKNOWN, exact: '' } : { text: duration(time_ps), exact: exactDuration(time_ps) };
}

function quantityName(quantity: InputSpread['quantity']): string {
  return { step: l10n.t('step'), idle: l10n.t('idle'), input: l10n.t('input') }[quantity];
}

function OperationCard({ record, operation }: { readonly record: InputRecord; readonly operation: InputOperation }) {
  const { kind, suspected, self_ps: self, busy_ratio: busy, core_ratio: core } = operation;
  const queue = queueOf(record, operation);
  const owner = record.operations.find(({ key }) => key === operation.runs_in);
  const reads = operation.inputs
    .map((key) => record.operations.find((each) => each.key === key))
    .filter((each) => each !== undefined)
    .map(operationName);
  return (
    <>
      <h2 class="details-title">{operationName(operation)}</h2>
      <p class="quiet">
        {dotted([operationKind(kind), workersText(operation), suspected === null ? null : certaintyText(suspected)])}
      </p>
      <p>
        <LineLink place={operation} />
      </p>
      <Facts
        facts={[
          reads.length === 0 ? null : { name: l10n.t('reads from'), text: reads.join(', ') },
          self === null ? null : quantityFact(l10n.t('self, in the window'), TIME, self),
          busy === null ? null : quantityFact(l10n.t('busy, in the window'), RATIO, busy),
          core === null ? null : quantityFact(l10n.t('of a core, each'), RATIO, core),
          operation.core_waiting_ratio === null
            ? null
            : quantityFact(l10n.t('waits for a core, each'), RATIO, operation.core_waiting_ratio),
          operation.suspect_steps === 0
            ? null
            : quantityFact(l10n.t('suspect in steps'), COUNT, operation.suspect_steps),
        ]}
      />
      {owner === undefined ? null : (
        <p class="quiet">
          {l10n.t(
            'It runs in the processes of {0}: time in them is known per process, not per line.',
            operationName(owner),
          )}
        </p>
      )}
      {queue === null ? null : (
        <section>
          <h3>{l10n.t('Its queue')}</h3>
          <Facts
            facts={[
              { name: l10n.t('kind'), text: queueKind(queue.kind) },
              { name: l10n.t('holds on average'), text: heldText(queue) },
              {
                name: l10n.t('empty'),
                text: l10n.t('at {0} of {1} gets', count(queue.empty_gets), count(queue.gets)),
              },
              queue.capacity === null
                ? null
                : {
                    name: l10n.t('full'),
                    text: l10n.t('at {0} of {1} gets', count(queue.full_gets), count(queue.gets)),
                  },
            ]}
          />
        </section>
      )}
    </>
  );
}

function StageCard({ record, stage }: { readonly record: InputRecord; readonly stage: InputStage }) {
  const { kind, work, total_ps: total, self_ps: self, threads, thread_names: names, core_ratio: core } = stage;
  const mark = stage.basis === 'estimated' ? '≈ ' : '';
  const steady = record.steady_steps;
  return (
    <>
      <h2 class="details-title">{stageName(stage)}</h2>
      <p class="quiet">{dotted([stageKind(kind), shortWorkName(work)])}</p>
      <p>
        <LineLink place={stage} />
      </p>
      <Facts
        facts={[
          stage.count === null ? null : quantityFact(l10n.t('entered'), COUNT, stage.count),
          total === null ? null : quantityFact(l10n.t('total, in the window'), TIME, total, mark),
          self === null ? null : quantityFact(l10n.t('self'), TIME, self, mark),
          self === null || stage.count === null || stage.count === 0
            ? null
            : quantityFact(l10n.t('self, each time'), TIME, self / stage.count, mark),
          core === null ? null : quantityFact(l10n.t('of a core'), RATIO, core),
          kind === 'worker' ? null : quantityFact(l10n.t('threads'), COUNT, threads),
          names.length === 0 ? null : { name: l10n.t('thread names'), text: names.join(', ') },
          work === null
            ? null
            : {
                name: l10n.t('suspect'),
                text: l10n.t('in {0} of {1} steps', count(stage.suspect_steps), count(steady)),
                exact: l10n.t('It worked longest while devices waited for input'),
              },
        ]}
      />
    </>
  );
}

function StepCard({ record, at }: { readonly record: InputRecord; readonly at: number }) {
  const step = record.steps[at];
  if (step === undefined) {
    return null;
  }
  const suspect = record.stages.find(({ key }) => key === step.suspect);
  return (
    <>
      <h2 class="details-title">{l10n.t('step {0}', count(at + 1))}</h2>
      <p class="quiet">
        {step.is_steady ? l10n.t('of the means') : l10n.t('a program was compiled in it: it is in no mean')}
      </p>
      <Facts
        facts={[
          quantityFact(l10n.t('takes'), TIME, step.duration_ps),
          quantityFact(l10n.t('device idle'), TIME, step.idle_ps),
          quantityFact(l10n.t('waits for input'), TIME, step.input_ps),
          record.devices.length < 2 || step.least_input_ps === null || step.greatest_input_ps === null
            ? null
            : {
                name: l10n.t('over devices'),
                text: l10n.t('{0} to {1}', duration(step.least_input_ps), duration(step.greatest_input_ps)),
              },
          {
            name: l10n.t('met an idle device'),
            text: l10n.t('{0} of {1} launches', count(step.idle_launches), count(step.launches)),
          },
          ...record.queues
            .filter(({ step_held: held }) => held[at] !== null && held[at] !== undefined)
            .map((queue) => ({ name: l10n.t('{0} held', queue.name), text: count(queue.step_held[at] ?? 0) })),
          suspect === undefined ? null : { name: l10n.t('suspect'), text: stageName(suspect) },
        ]}
      />
      {suspect === undefined ? null : (
        <p>
          <LineLink place={suspect} />
        </p>
      )}
    </>
  );
}
