// What figures rest on. Those of a device that ran nothing are marked, in whichever panel they are.

import type { OpenedRun } from '../../../src/protocol';

const MARK = '≈';

/** What is to be known of a run that was predicted. */
export interface Prediction {
  /** The device that its times are predicted for. */
  readonly device: string;
  /** How far that is to be believed, and what has no estimate. */
  readonly sentences: readonly string[];
}

let shown: Prediction | null = null;

/** Marks times from now on where the run that is shown was predicted. */
export function showBasisOf(run: Pick<OpenedRun, 'predicted_for' | 'prediction'> | null): void {
  shown = run === null || run.predicted_for === null ? null : { device: run.predicted_for, sentences: run.prediction };
}

/** That of the run that is shown; null where it was measured. */
export function prediction(): Prediction | null {
  return shown;
}

/** A figure that rests on times: `≈38.2 %` where they are predicted. */
export function timed(figure: string): string {
  return shown === null ? figure : led(MARK, figure);
}

/** A figure behind its mark, which it may have already; `<0.1 %` says by itself that it is not exact. */
export function led(mark: string, figure: string): string {
  return mark !== '' && (figure.startsWith(MARK) || figure.startsWith('<')) ? figure : `${mark}${figure}`;
}
