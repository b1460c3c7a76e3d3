// Numbers as people read them, written as the daemon writes them (report/numbers.py): three significant digits, the
// unit after the number, SI for time and FLOPs, binary for bytes. Exact values are for tooltips. Times are marked where
// they are predicted.

import { timed } from './basis';

const THIN_SPACE = '\u202f';
export const TIME_UNITS = [
  [1e12, 's'],
  [1e9, 'ms'],
  [1e6, 'µs'],
  [1e3, 'ns'],
] as const;
const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;
const FLOP_UNITS = [
  [1e18, 'EFLOP'],
  [1e15, 'PFLOP'],
  [1e12, 'TFLOP'],
  [1e9, 'GFLOP'],
  [1e6, 'MFLOP'],
  [1e3, 'kFLOP'],
] as const;

/** A time with its SI unit: `32.4 ms`; before zero with a minus. */
export function duration(time_ps: number): string {
  return timed(measuredDuration(time_ps));
}

/** The same of a time that was measured whatever others are: how long reading took. */
export function measuredDuration(time_ps: number): string {
  if (time_ps <= -0.5) {
    return `−${measuredDuration(-time_ps)}`;
  }
  return scaled(time_ps, TIME_UNITS) ?? `${fixed(Math.max(0, time_ps), 0)} ps`;
}

/** A time to the picosecond, in the unit that one thinks in: `32.412 000 001 ms`. */
export function exactDuration(time_ps: number): string {
  const whole_ps = Math.round(Math.abs(time_ps));
  const [unit_ps, name] = TIME_UNITS.find(([unit_ps]) => whole_ps >= unit_ps) ?? [1, 'ps'];
  const digits = String(unit_ps).length - 1;
  const decimals =
    digits === 0
      ? ''
      : String(whole_ps % unit_ps)
          .padStart(digits, '0')
          .replace(/0+$/, '');
  const groups = decimals === '' ? '' : `.${decimals.replace(/(\d{3})(?=\d)/g, `$1${THIN_SPACE}`)}`;
  return timed(`${time_ps < 0 ? '−' : ''}${count(Math.floor(whole_ps / unit_ps))}${groups} ${name}`);
}

/** A share to a tenth of a percent: `38.2 %`; what would round to nothing but is not is `<0.1 %`. */
export function share(share_ratio: number): string {
  return share_ratio > 0 && share_ratio < 0.0005 ? '<0.1 %' : `${fixed(share_ratio * 100, 1)} %`;
}

/** A share to a percent, where one glance is meant: `38 %`. */
export function wholeShare(share_ratio: number): string {
  return share_ratio > 0 && share_ratio <= 0.005 ? '<1 %' : `${fixed(share_ratio * 100, 0)} %`;
}

/** A share that rests on times: `≈38.2 %` where they are predicted. */
export function timeShare(share_ratio: number): string {
  return timed(share(share_ratio));
}

/** A share of nearly everything, never rounded up to all of it: `99.99 %`. */
export function coverage(share_ratio: number): string {
  const percent = share_ratio * 100;
  if (percent >= 100 || percent < 99.9) {
    return share(Math.min(1, share_ratio));
  }
  return percent > 99.999 ? '>99.99 %' : `${String(Math.floor(percent * 100) / 100)} %`;
}

/** A count: whole numbers in full with thin groups of three, an average in three digits (`2.5`). */
export function count(number: number): string {
  if (!Number.isInteger(number)) {
    return number < 999.5 ? significant(number) : count(Number(fixed(number, 0)));
  }
  return String(number).replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
}

/** A size in binary units: `62.1 MiB`. */
export function byteSize(size_bytes: number): string {
  let size = size_bytes;
  for (const unit of BYTE_UNITS) {
    if (size < 999.5 || unit === BYTE_UNITS[BYTE_UNITS.length - 1]) {
      return `${significant(size)} ${unit}`;
    }
    size /= 1024;
  }
  return '';
}

/** What there is of a memory, in a digit more than what is in it, as people know it: `15.75 GiB`. */
export function capacitySize(size_bytes: number): string {
  const gibibytes = size_bytes / 2 ** 30;
  return gibibytes < 1 ? byteSize(size_bytes) : `${String(Number(gibibytes.toPrecision(4)))} GiB`;
}

/** Work in SI units: `412 GFLOP`. */
export function flops(work_flops: number): string {
  return scaled(work_flops, FLOP_UNITS) ?? `${fixed(work_flops, 0)} FLOP`;
}

/** A rate of work: `412 GFLOP/s`. */
export function flopRate(rate_flops_per_s: number): string {
  return `${flops(rate_flops_per_s)}/s`;
}

/** Work to the FLOP: `412 000 000 FLOP`. */
export function exactFlops(work_flops: number): string {
  return `${count(Math.round(work_flops))} FLOP`;
}

/** A rate of bytes in binary units: `763 GiB/s`. */
export function byteRate(rate_bytes_per_s: number): string {
  return `${byteSize(rate_bytes_per_s)}/s`;
}

/** Work for each byte that is moved: `240 FLOP/byte`. */
export function intensity(intensity_flops_per_byte: number): string {
  const value = intensity_flops_per_byte;
  return `${value < 999.5 ? significant(value) : count(Math.round(value))} FLOP/byte`;
}

/** Parts of a line, with dots between; what is null or empty is left out. */
export function dotted(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}

/** A name within a sentence: marks in it that turn the direction of writing turn nothing else. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

function scaled(value: number, units: readonly (readonly [number, string])[]): string | null {
  for (const [factor, unit] of units) {
    const inUnit = value / factor;
    // 999.6 of a unit would be written as 1000: it is the next unit's 1.00.
    if (inUnit >= 0.9995) {
      return `${fixed(inUnit, inUnit < 9.995 ? 2 : inUnit < 99.95 ? 1 : 0)} ${unit}`;
    }
  }
  return null;
}

/** As Python's `.3g` below 999.5: three significant digits without zeros at the end. */
function significant(value: number): string {
  const rounded = value.toPrecision(3);
  return rounded.includes('.') ? rounded.replace(/\.?0+$/, '') : rounded;
}

/** As Python's `.Nf`: an exact tie goes to the even digit, where `toFixed` takes the larger. */
function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const [, fraction = ''] = value.toFixed(digits + 30).split('.');
  const isTie = /^50*$/.test(fraction.slice(digits));
  const last = Number(text[text.length - 1]);
  return isTie && last % 2 === 1 ? (value - 0.5 / 10 ** digits).toFixed(digits) : text;
}
