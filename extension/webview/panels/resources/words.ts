// What the record of resources says in single words, as a person reads it.

import * as l10n from '@vscode/l10n';
import type { ResourceProcess, ResourceSeries, ResourcesRecord, ResourceThread } from '../../../src/protocol';
import { exactTime } from '../../shared/text/exactTime';
import { byteRate, byteSize, count, duration } from '../../shared/text/format';
import { BYTE_RATE, BYTES, COUNT, type Quantity, RATIO } from '../../shared/text/quantities';

export type ResourceQuantity = ResourceSeries['quantity'];

/** Things in a second. */
const COUNT_RATE: Quantity = {
  text: (rate) => `${count(Math.round(rate))}/s`,
  exact: (rate) => `${count(rate)}/s`,
  unit: '1/s',
};

/** What the numbers of a series are. */
export function quantityOf(quantity: ResourceQuantity): Quantity {
  return quantity.endsWith('_bytes_per_s')
    ? BYTE_RATE
    : quantity.endsWith('_bytes')
      ? BYTES
      : quantity.endsWith('_ratio')
        ? RATIO
        : quantity.endsWith('_per_s')
          ? COUNT_RATE
          : COUNT;
}

/** A number of an axis, shorter than in a table. */
export function axisText(quantity: ResourceQuantity, value: number): string {
  return quantity.endsWith('_bytes_per_s')
    ? byteRate(value)
    : quantity.endsWith('_bytes')
      ? byteSize(value)
      : quantity.endsWith('_ratio')
        ? `${count(Math.round(value * 1000) / 10)} %`
        : quantity.endsWith('_per_s')
          ? `${count(value)}/s`
          : count(value);
}

/** The series of the machine as a whole. */
function machineName(quantity: ResourceQuantity): string {
  switch (quantity) {
    case 'cpu_user_ratio':
      return l10n.t('user');
    case 'cpu_system_ratio':
      return l10n.t('system');
    case 'cpu_iowait_ratio':
      return l10n.t('waiting for a disk');
    case 'cpu_stolen_ratio':
      return l10n.t('taken by the hypervisor');
    case 'cpu_idle_ratio':
      return l10n.t('idle');
    case 'running_threads':
      return l10n.t('run or could');
    case 'blocked_threads':
      return l10n.t('blocked on a disk');
    case 'switches_per_s':
      return l10n.t('context switches');
    case 'cpu_pressure_ratio':
      return l10n.t('lacked a core');
    case 'io_pressure_ratio':
      return l10n.t('lacked a disk');
    case 'memory_pressure_ratio':
      return l10n.t('lacked memory');
    case 'throttled_ratio':
      return l10n.t('withheld by the limit');
    case 'available_bytes':
      return l10n.t('available');
    case 'disk_read_bytes_per_s':
      return l10n.t('read');
    case 'disk_written_bytes_per_s':
      return l10n.t('written');
    case 'network_received_bytes_per_s':
      return l10n.t('received');
    case 'network_sent_bytes_per_s':
      return l10n.t('sent');
    default:
      return '';
  }
}

/** What a series is called within its chart. */
export function seriesName(series: ResourceSeries): string {
  const { quantity, name, number, is_rest: isRest, is_main: isMain, pid } = series;
  const named = machineName(quantity);
  if (named !== '') {
    return named;
  }
  if (isRest) {
    return l10n.t('{0} others', count(number));
  }
  const known = [name === '' ? l10n.t('(without a name)') : name, ...(pid === null ? [] : [String(pid)])].join(' ');
  return isMain
    ? l10n.t('{0} (main thread)', known)
    : number > 1
      ? l10n.t('{0} ({1} threads)', known, count(number))
      : known;
}

export function threadName({ name, tid, pid, number }: ResourceThread): string {
  if (tid === null) {
    return number === 0 ? l10n.t('(came and went between looks)') : l10n.t('({0} other threads)', count(number));
  }
  const known = name === '' ? l10n.t('(without a name)') : name;
  return tid === pid ? l10n.t('{0} (main thread)', known) : known;
}

export function processName({ name, parent_pid: parent }: ResourceProcess): string {
  const known = name === '' ? l10n.t('(without a name)') : name;
  return parent === null ? l10n.t('{0} (the script)', known) : known;
}

/** What a mean is over. */
export function spanName(span: ResourcesRecord['span']): string {
  return {
    steps: l10n.t('mean of the complete steps'),
    window: l10n.t('mean of the captured window'),
    run: l10n.t('mean of all that was read'),
  }[span];
}

/** A moment, counted from the profile's first event. With `apart_ps` it has the digits that tell it from others. */
export function moment(time_ps: number, apart_ps: number | null = null): string {
  if (time_ps === 0) {
    return '0 s';
  }
  if (apart_ps === null) {
    return duration(time_ps);
  }
  return time_ps < 0 ? `−${exactTime(-time_ps, apart_ps)}` : exactTime(time_ps, apart_ps);
}
