// @vitest-environment happy-dom
// A run that was predicted: its figures of times are marked in every panel, whose frame names the device.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { led, prediction, showBasisOf, timed } from '../../../../extension/webview/shared/text/basis';
import {
  byteSize,
  duration,
  exactDuration,
  flopRate,
  measuredDuration,
  share,
  timeShare,
} from '../../../../extension/webview/shared/text/format';
import {
  BYTE_RATE,
  FLOP_RATE,
  PEAK_FLOP_RATE,
  TIME,
  TIME_RATIO,
} from '../../../../extension/webview/shared/text/quantities';
import { opened } from '../../features/openedRun';
import { aView } from '../hotLines/madeLines';
import { openHotLines } from '../hotLines/openHotLines';
import { found, giveElementsSize } from './fakePage';

const PREDICTED = { predicted_for: 'TPU v5e', prediction: ['Predicted for TPU v5e: no promise.', '12 % are unknown.'] };

beforeEach(() => giveElementsSize(1400, 900));
afterEach(() => {
  showBasisOf(null);
});

describe('figures', () => {
  it('are marked where they rest on predicted times, and nowhere else', () => {
    showBasisOf(opened('/runs/a', PREDICTED));
    expect(prediction()).toEqual({ device: 'TPU v5e', sentences: PREDICTED.prediction });
    expect([duration(32.4e9), exactDuration(5), timeShare(0.382), TIME.text(1e12), TIME_RATIO.exact(0.5)]).toEqual([
      '≈32.4 ms',
      '≈5 ps',
      '≈38.2 %',
      '≈1.00 s',
      '≈50.0 %',
    ]);
    expect([FLOP_RATE.text(412e9), BYTE_RATE.text(1024)]).toEqual(['≈412 GFLOP/s', '≈1 KiB/s']);
    expect([
      measuredDuration(32.4e9),
      share(0.382),
      byteSize(1024),
      flopRate(412e9),
      PEAK_FLOP_RATE.text(412e9),
    ]).toEqual(['32.4 ms', '38.2 %', '1 KiB', '412 GFLOP/s', '412 GFLOP/s']);
  });

  it('have one mark, whatever else makes them inexact', () => {
    showBasisOf(opened('/runs/a', PREDICTED));
    expect(led('≈ ', timeShare(0.382))).toBe('≈38.2 %');
    expect(led('≥ ', share(0.382))).toBe('≥ 38.2 %');
    expect(timed(timed('1'))).toBe('≈1');
    expect([timeShare(0.0001), led('≈ ', timeShare(0.0001))]).toEqual(['<0.1 %', '<0.1 %']);
  });

  it('of a run that was measured have none', () => {
    showBasisOf(opened('/runs/a'));
    expect(prediction()).toBeNull();
    expect([duration(32.4e9), timeShare(0.382), FLOP_RATE.text(412e9)]).toEqual(['32.4 ms', '38.2 %', '412 GFLOP/s']);
  });
});

describe('the frame', () => {
  it('names the device of a prediction, whose rows are marked once each', async () => {
    const view = aView();
    const { element } = await openHotLines({ ...view, run: { ...view.run, ...PREDICTED } });
    const banner = found(element, '.top-bar .predicted-for');
    expect(banner.textContent).toContain('predicted for TPU v5e');
    expect(banner.title).toBe(PREDICTED.prediction.join('\n'));
    const rows = [...element.querySelectorAll('[role=row]')].map(({ textContent }) => textContent);
    expect(rows.filter((text) => /\d %/.test(text)).every((text) => text.includes('≈'))).toBe(true);
    expect(element.textContent).not.toMatch(/≈ ?≈/);
    expect(found(element, '.status-line').textContent).toMatch(/read in \d/);
  });

  it('says nothing of a run that was measured', async () => {
    const { element } = await openHotLines();
    expect(element.querySelector('.predicted-for')).toBeNull();
  });
});
