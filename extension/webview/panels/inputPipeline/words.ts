// What the record of the input says in single words, as a person reads it.

import * as l10n from '@vscode/l10n';
import type { InputOperation, InputQueue, InputRecord, InputStage } from '../../../src/protocol';
import { lineText } from '../../shared/op/words';
import { count } from '../../shared/text/format';

export type Work = NonNullable<InputStage['work']>;

/** As XProf names the kinds of work. */
export function workName(work: Work): string {
  return {
    enqueue: l10n.t('Enqueuing data to be transferred to the device'),
    preprocessing: l10n.t('Preprocessing'),
    'read-ahead': l10n.t('Reading data in advance'),
    'read-on-demand': l10n.t('Reading data on demand'),
    other: l10n.t('Other data reading or processing'),
  }[work];
}

/** The same for a cell; of what only waits for others that. */
export function shortWorkName(work: InputStage['work']): string {
  switch (work) {
    case 'enqueue':
      return l10n.t('enqueue');
    case 'preprocessing':
      return l10n.t('preprocessing');
    case 'read-ahead':
      return l10n.t('reads ahead');
    case 'read-on-demand':
      return l10n.t('reads on demand');
    case 'other':
      return l10n.t('other');
    case null:
      return l10n.t('waits');
  }
}

export function levelText(level: NonNullable<InputRecord['level']>): string {
  return {
    low: l10n.t('not input-bound'),
    moderate: l10n.t('moderately input-bound'),
    high: l10n.t('highly input-bound'),
  }[level];
}

export function verdictText(verdict: NonNullable<InputRecord['verdict']>): string {
  return {
    processing: l10n.t('making the data is slow'),
    transfer: l10n.t('data is ready, moving it is slow'),
    gets: l10n.t('data is ready, taking it is slow'),
    loop: l10n.t('data is ready, the loop works on it'),
    elsewhere: l10n.t('data is ready, the steps wait for something else'),
    barely: l10n.t('the input keeps up, with nothing to spare'),
    'keeps-up': l10n.t('the input keeps up'),
    consumer: l10n.t('the steps are slow'),
  }[verdict];
}

/** What a stage is called; a line by its function and number, beside its file. */
export function stageName({ kind, name, function: of, path, line }: InputStage): string {
  if (kind === 'worker') {
    return l10n.t('worker process {0}', name);
  }
  return kind !== 'line' ? name : of === '' ? lineText(path, line) : `${of}:${String(line)}`;
}

export function stageKind(kind: InputStage['kind']): string {
  return {
    grain: l10n.t('operation of grain'),
    'tf.data': l10n.t('iterator of tf.data'),
    data: l10n.t('data that the script marked'),
    function: l10n.t('function that an operation calls'),
    line: l10n.t('line'),
    worker: l10n.t('process that loads data'),
  }[kind];
}

export function operationKind(kind: InputOperation['kind']): string {
  return {
    grain: 'grain',
    torch: 'torch',
    'tf.data': 'tf.data',
    threads: l10n.t('threads'),
    processes: l10n.t('processes'),
    tasks: l10n.t('tasks of the event loop'),
    coroutine: l10n.t('coroutine'),
    function: l10n.t('function'),
    line: l10n.t('line'),
    script: l10n.t('loop of the steps'),
    device: l10n.t('device'),
  }[kind];
}

/** What an operation is called; by its kind where it has no name of its own. */
export function operationName({ name, kind }: InputOperation): string {
  return name === '' ? operationKind(kind) : name;
}

export function queueKind(kind: InputQueue['kind']): string {
  return {
    queue: l10n.t('queue of threads'),
    processes: l10n.t('queue of processes'),
    asyncio: l10n.t('queue of tasks'),
    torch: l10n.t('ready batches of the DataLoader'),
    grain: l10n.t('ready elements of grain'),
    'grain-thread': l10n.t('prefetching thread of grain'),
    'grain-processes': l10n.t('ready elements of grain’s processes'),
  }[kind];
}

/** How much a queue holds, and of how much: `0.2 of 4`. */
export function heldText({ mean_held: mean, capacity }: InputQueue): string {
  const held = mean === null ? '–' : mean.toFixed(1);
  return capacity === null ? held : l10n.t('{0} of {1}', held, count(capacity));
}

export function certaintyText(certainty: NonNullable<InputOperation['suspected']>): string {
  return certainty === 'sure' ? l10n.t('holds the others up') : l10n.t('likely holds the others up');
}

export function perStepText(): string {
  return l10n.t('Self time in steady steps, for each of them');
}
