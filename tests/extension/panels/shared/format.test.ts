// @vitest-environment node
import { describe, expect, test } from 'vitest';
import formats from '../../../number_formats.json';
import {
  byteSize,
  count,
  coverage,
  duration,
  exactDuration,
  flopRate,
  share,
  wholeShare,
} from '../../../../extension/webview/shared/text/format';

const writers: Readonly<Record<keyof typeof formats, (value: number) => string>> = {
  duration_ps: duration,
  share_ratio: share,
  whole_share_ratio: wholeShare,
  count,
  size_bytes: byteSize,
};

describe('numbers are written as the daemon writes them', () => {
  for (const [kind, pairs] of Object.entries(formats) as [keyof typeof formats, [number, string][]][]) {
    test.each(pairs)(`${kind}: %d`, (value, written) => {
      expect(writers[kind](value)).toBe(written);
    });
  }
});

test('rates of work have SI units', () => {
  expect(flopRate(412e9)).toBe('412 GFLOP/s');
  expect(flopRate(78)).toBe('78 FLOP/s');
});

test('nearly everything is not written as everything', () => {
  expect(coverage(0.9999)).toBe('99.99 %');
  expect(coverage(0.9999999)).toBe('>99.99 %');
  expect(coverage(1)).toBe('100.0 %');
  expect(coverage(0.5)).toBe('50.0 %');
});

test('tooltips are exact', () => {
  expect(exactDuration(32412000001)).toBe('32\u202f412\u202f000\u202f001 ps');
});
