// The end of a prediction: it is shown where nothing else came to be looked at meanwhile, else it is offered.

import * as vscode from 'vscode';
import { tellFailure } from '../failure';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { type Button, offer } from '../userMessages';
import { editorState, openWithProgress, tellExit, tellResult } from './captureEnd';
import type { FailedRun } from './captureFailure';
import type { StartedCapture } from './captureProgress';
import { leadsOf } from './leads';

/** What was looked at as a capture began: the text that was edited, and the path of the run that was shown. */
export interface LookedAt {
  readonly text: string;
  readonly run: string | undefined;
}

/** A run that has come to its end, with lines to show. */
export interface EndedRun {
  readonly capture: StartedCapture;
  readonly made: FailedRun;
  readonly isCancelled: boolean;
}

/** Says how a prediction ended, and shows what it found. Its process ends with it: one sentence tells both. */
export async function tellPrediction(
  services: Services,
  shown: ShownRun,
  { capture, made, isCancelled }: EndedRun,
  before: LookedAt,
): Promise<void> {
  const tell = async (more: readonly Button[]): Promise<boolean> =>
    !isCancelled && (await tellExit(services, shown, capture, made, more));
  const now = shown.current?.path;
  if (now === undefined || now === before.run || now === capture.out) {
    const run = await openWithProgress(shown, capture);
    const isTold = await tell(leadsOf(run));
    await tellResult(run, isTold ? null : made, before.text);
    return;
  }
  let isTold = false;
  const press = async (): Promise<void> => {
    try {
      const run = await openWithProgress(shown, capture);
      await tellResult(run, isTold ? null : made, editorState());
    } catch (error) {
      tellFailure(error, services);
    }
  };
  const show = { label: vscode.l10n.t('Show'), press };
  isTold = await tell([show]);
  if (!isTold) {
    const sentence = isCancelled
      ? vscode.l10n.t('{0} was stopped: what was compiled by then is kept. Another run is shown.', capture.title)
      : vscode.l10n.t('{0} was compiled. Another run is shown.', capture.title);
    void offer(vscode.window.showInformationMessage, sentence, [show]);
  }
}
