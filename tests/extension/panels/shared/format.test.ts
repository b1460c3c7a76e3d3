// @vitest-environment node
import { describe, expect, test } from 'vitest';
import formats from '../../../number_formats.json';
import {
  byteRate,
  byteSize,
  capacitySize,
  count,
  coverage,
  duration,
  exactDuration,
  flopRate,
  flops,
  share,
  wholeShare,
} from '../../../../extension/webview/shared/text/format';

const writers: Readonly<Record<keyof typeof formats, (value: number) => string>> = {
  duration_ps: duration,
  share_ratio: share,
  whole_share_ratio: wholeShare,
  count,
  size_bytes: byteSize,
  work_flops: flops,
  rate_flops_per_s: flopRate,
  rate_bytes_per_s: byteRate,
};

describe('numbers are written as the daemon writes them', () => {
  for (const [kind, pairs] of Object.entries(formats) as [keyof typeof formats, [number, string][]][]) {
    test.each(pairs)(`${kind}: %d`, (value, written) => {
      expect(writers[kind](value)).toBe(written);
    });
  }
});

test('what there is of a memory is written as people know it', () => {
  expect([15.75, 80, 0.5].map((gibibytes) => capacitySize(gibibytes * 2 ** 30))).toEqual([
    '15.75 GiB',
    '80 GiB',
    '512 MiB',
  ]);
});

test('nearly everything is not written as everything', () => {
  expect(coverage(0.9999)).toBe('99.99 %');
  expect(coverage(0.9999999)).toBe('>99.99 %');
  expect(coverage(1)).toBe('100.0 %');
  expect(coverage(0.5)).toBe('50.0 %');
});

test('tooltips are exact', () => {
  const exact = [
    [32_412_000_001, '32.412\u202f000\u202f001 ms'],
    [65_000_000_000, '65 ms'],
    [-1_500_000, '−1.5 µs'],
    [1_234_500_000_000_000, '1\u202f234.5 s'],
    [541, '541 ps'],
    [0, '0 ps'],
  ] as const;
  expect(exact.map(([time_ps]) => exactDuration(time_ps))).toEqual(exact.map(([, text]) => text));
});
