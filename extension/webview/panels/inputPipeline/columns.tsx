// The columns of the tables of Input Pipeline: stages, steps, and what a queue held.

import * as l10n from '@vscode/l10n';
import type { InputQueue, InputRecord, InputStage } from '../../../src/protocol';
import type { Column } from '../../shared/table/columns';
import { lineColumn, numberColumn, textColumn } from '../../shared/table/kinds';
import { COUNT, RATIO, TIME } from '../../shared/text/quantities';
import { perStepText, shortWorkName, stageName } from './words';

/** What only waits for others has none: it comes last. */
export const SHARE_COLUMN = 'selfShare';
export const PER_STEP_COLUMN = 'selfPerStep';

/** The columns of stages; `isCompared` where the time of a step stands beside what it was. */
export function stageColumns({ stages }: InputRecord, isCompared = false): readonly Column<InputStage>[] {
  type Row = InputStage;
  const hasProcesses = stages.some(({ core_ratio: core }) => core !== null);
  const mark = ({ basis }: Row): string => (basis === 'estimated' ? '≈ ' : '');
  const waits = ({ work }: Row): boolean => work === null;
  const columns: readonly (Column<Row> | null)[] = [
    textColumn<Row>('stage', l10n.t('Stage'), stageName, { width_px: 184, least_px: 112, fills: 1 }),
    numberColumn<Row>('count', l10n.t('Count'), COUNT, ({ count }) => count, {
      meaning: l10n.t('How often it was entered in the window'),
      width_px: 72,
      rank: 4,
    }),
    numberColumn<Row>('total', l10n.t('Total'), TIME, ({ total_ps: time }) => time, {
      meaning: l10n.t('Its time in the window, over all threads'),
      width_px: 88,
      rank: 2,
      mark,
    }),
    numberColumn<Row>('totalShare', l10n.t('Total %'), RATIO, ({ total_ratio: ratio }) => ratio, {
      meaning: l10n.t('Of the self time of all stages that do not wait'),
      width_px: 80,
      rank: 5,
      isBlank: waits,
    }),
    numberColumn<Row>('self', l10n.t('Self'), TIME, ({ self_ps: time }) => time, {
      meaning: l10n.t('Without other stages inside it on the same thread'),
      width_px: 88,
      mark,
    }),
    numberColumn<Row>(PER_STEP_COLUMN, l10n.t('Self / step'), TIME, ({ self_per_step_ps: time }) => time, {
      meaning: perStepText(),
      width_px: 88,
      rank: isCompared ? 1 : 6,
      mark,
    }),
    numberColumn<Row>(SHARE_COLUMN, l10n.t('Self %'), RATIO, ({ self_ratio: ratio }) => ratio, {
      meaning: l10n.t('Of the self time of all stages that do not wait'),
      width_px: 128,
      least_px: 72,
      isBlank: waits,
      meter: ({ self_ratio: ratio }) => (ratio === null ? null : { ratio }),
    }),
    textColumn<Row>('work', l10n.t('Category'), ({ work }) => shortWorkName(work), { width_px: 112, rank: 3 }),
    numberColumn<Row>('threads', l10n.t('Threads'), COUNT, ({ threads }) => threads, {
      width_px: 64,
      rank: 6,
      exact: ({ thread_names: names }) => names.join(', '),
    }),
    hasProcesses
      ? numberColumn<Row>('core', l10n.t('Of a core'), RATIO, ({ core_ratio: core }) => core, {
          meaning: l10n.t('How much of a core the process used'),
          width_px: 80,
          rank: 1,
          isBlank: ({ kind }) => kind !== 'worker',
        })
      : null,
    numberColumn<Row>('suspect', l10n.t('Suspect'), COUNT, ({ suspect_steps: steps }) => steps, {
      meaning: l10n.t('In how many steps it worked longest while devices waited for input'),
      width_px: 72,
      rank: 1,
      isBlank: ({ suspect_steps: steps }) => steps === 0,
    }),
    lineColumn<Row>({ width_px: 136, rank: 1 }),
  ];
  return columns.filter((column) => column !== null);
}

/** The steps as a table, by their position. */
export function stepColumns({ steps, stages, devices, input_ps: input }: InputRecord): readonly Column<number>[] {
  const names = new Map(stages.map((stage) => [stage.key, stageName(stage)]));
  const time = (id: string, title: string, of: (step: InputRecord['steps'][number]) => number | null): Column<number> =>
    numberColumn<number>(id, title, TIME, (at) => {
      const step = steps[at];
      return step === undefined ? null : of(step);
    });
  const isKnown = input !== null;
  const hasRange = isKnown && devices.length > 1;
  return [
    numberColumn<number>('step', l10n.t('Step'), COUNT, (at) => at + 1, { width_px: 64 }),
    time('time', l10n.t('Takes'), ({ duration_ps: each }) => each),
    time('idle', l10n.t('Device idle'), ({ idle_ps: each }) => each),
    ...(isKnown ? [time('input', l10n.t('Waits for input'), ({ input_ps: each }) => each)] : []),
    ...(hasRange
      ? [
          time('least', l10n.t('Least of a device'), ({ least_input_ps: each }) => each),
          time('most', l10n.t('Most of a device'), ({ greatest_input_ps: each }) => each),
        ]
      : []),
    numberColumn<number>('launches', l10n.t('Launches'), COUNT, (at) => steps[at]?.launches ?? null, { width_px: 80 }),
    numberColumn<number>('late', l10n.t('Met an idle device'), COUNT, (at) => steps[at]?.idle_launches ?? null, {
      width_px: 128,
    }),
    textColumn<number>('suspect', l10n.t('Suspect'), (at) => names.get(steps[at]?.suspect ?? '') ?? '', {
      width_px: 144,
      fills: 1,
    }),
    textColumn<number>(
      'note',
      l10n.t('Note'),
      (at) => (steps[at]?.is_steady === false ? l10n.t('compiles, in no mean') : ''),
      { width_px: 144 },
    ),
  ];
}

/** What a queue held, at each reading. */
export function readingColumns(queue: InputQueue): readonly Column<number>[] {
  return [
    numberColumn<number>('time', l10n.t('At'), TIME, (at) => queue.times_ps[at] ?? null, { width_px: 112 }),
    numberColumn<number>('held', l10n.t('Held'), COUNT, (at) => queue.held[at] ?? null, { fills: 1 }),
  ];
}

/** What a queue held when each step took from it. */
export function getColumns(queue: InputQueue): readonly Column<number>[] {
  return [
    numberColumn<number>('step', l10n.t('Step'), COUNT, (at) => at + 1, { width_px: 112 }),
    numberColumn<number>('held', l10n.t('Held'), COUNT, (at) => queue.step_held[at] ?? null, { fills: 1 }),
  ];
}
