// What the records of memory say in single words, as a person reads it.

import * as l10n from '@vscode/l10n';
import type { MemoryBreakdownRow, MemoryRecord, MemorySample, OutOfMemoryCulprit } from '../../../src/protocol';
import { sentences } from '../../shared/findings/findings';
import { fullOpName } from '../../shared/op/opName';
import { exactTime } from '../../shared/text/exactTime';
import { duration } from '../../shared/text/format';

export function kindName(kind: MemoryRecord['kind']): string {
  return {
    accelerator: l10n.t('memory of a device'),
    host: l10n.t('host memory for devices'),
    process: l10n.t('all memory of the script’s process'),
  }[kind];
}

/** What the heap of a memory is: of a process it is all that is resident. */
export function heapName({ kind }: Pick<MemoryRecord, 'kind'>): string {
  return kind === 'process' ? l10n.t('resident') : l10n.t('heap');
}

export function sourceText(source: MemoryRecord['source']): string {
  return {
    'allocator events': l10n.t('every allocation was recorded'),
    samples: l10n.t('asked for from time to time'),
  }[source];
}

export function activityName(activity: MemorySample['activity']): string | null {
  return activity === null
    ? null
    : { allocation: l10n.t('allocation'), deallocation: l10n.t('deallocation') }[activity];
}

export function basisName(basis: MemoryBreakdownRow['basis']): string {
  return {
    measured: l10n.t('measured'),
    joined: l10n.t('≈ joined'),
  }[basis];
}

export function basisMeaning(basis: MemoryBreakdownRow['basis']): string {
  return {
    measured: l10n.t('It was measured that so much is in use.'),
    joined: l10n.t('A part of what was measured, told by the program that ran then or the snapshot of then.'),
  }[basis];
}

export function culpritBasis(basis: OutOfMemoryCulprit['basis']): string {
  return {
    compiler: l10n.t('the compiler’s list'),
    snapshot: l10n.t('the last snapshot'),
    traceback: l10n.t('the traceback'),
  }[basis];
}

/**
 * A moment, counted as all times of the record: none is before the first. Among others that are `apart_ps` from each
 * other it has as many digits as tell them apart.
 */
export function moment(time_ps: number, apart_ps: number | null = null): string {
  if (time_ps === 0) {
    return '0 s';
  }
  return apart_ps === null ? duration(time_ps) : exactTime(time_ps, apart_ps);
}

/** The op that allocated, or what else the part is of; the allocator names none for some. */
export function opText(row: MemoryBreakdownRow): string {
  if (row.findings.length > 0) {
    return sentences(row.findings).join(' ');
  }
  return row.op === '' ? l10n.t('(unnamed)') : fullOpName({ ...row, name: row.op });
}
