// What a TPU would do with a script, for the first time and again.

import * as vscode from 'vscode';
import { askArguments } from '../capture/answers';
import { captureRequest } from '../capture/captureRequest';
import { type EndedCapture, runCapture } from '../capture/captureSession';
import { saveScripts } from '../capture/meantScript';
import type { ProfilingParts } from '../capture/resumedCapture';
import { launchJsonButton } from '../launch/launchJson';
import { keyOf } from '../launch/targets';
import type { Answers, Making, Target } from '../remembered';
import type { Services } from '../services';
import { preflightObserves } from '../settings';
import { offer } from '../userMessages';

/** What a script is called that is compiled for a TPU. */
export function titleFor(name: string, tpu: string): string {
  return vscode.l10n.t('{0} for {1}', name, tpu);
}

/**
 * Compiles a script for a TPU and shows what is predicted; `title` is what that is called. The compiler must be there.
 * Resolves with how that ended.
 */
export async function predict(
  services: Services,
  parts: ProfilingParts,
  making: Making,
  tpu: string,
  title: string,
): Promise<EndedCapture> {
  await saveScripts();
  const request = await captureRequest(services, making, title);
  const predicted = { ...request, preflight: { tpu, observes: preflightObserves() } };
  const captured = { key: `${tpu} ${keyOf(making.target)}`, title, isPreflight: true };
  await parts.captures.beMeant(captured);
  const ended = await parts.captures.during(captured, () => runCapture(services, parts, predicted));
  if (ended.isCaptured) {
    await parts.retention.apply(request.folder);
  }
  return ended;
}

/** Whether a run that was predicted is to be predicted again, or profiled here; undefined where the user leaves. */
export async function askHowAgain(tpu: string, name: string): Promise<'predict' | 'profile' | undefined> {
  const items = [
    { label: vscode.l10n.t('Predict again for {0}', tpu), again: 'predict' },
    { label: vscode.l10n.t('Profile on this machine’s devices'), again: 'profile' },
  ] as const;
  const placeHolder = vscode.l10n.t('The run was predicted for {0}: nothing of it ran there', tpu);
  return (await vscode.window.showQuickPick(items, { title: name, placeHolder }))?.again;
}

/** Asks for the arguments that a run is predicted with; undefined where the user leaves. A configuration has its own. */
export async function askPredictedAnswers(
  target: Target,
  name: string,
  tpu: string,
  before: Answers,
): Promise<Answers | undefined> {
  if (target.kind === 'configuration') {
    return before;
  }
  const args = await askArguments(titleFor(name, tpu), before.args);
  return args === undefined ? undefined : { ...before, args };
}

/** Says what a script will be compiled with, and offers to do it by `again`. */
export async function offerToPredict(
  { target, answers }: Making,
  name: string,
  tpu: string,
  again: (target: Target, answers: Answers) => Promise<unknown>,
): Promise<void> {
  const sentence =
    answers.args === ''
      ? vscode.l10n.t('{0} will be compiled for {1} without arguments of its own.', name, tpu)
      : vscode.l10n.t('{0} will be compiled for {1} with {2}.', name, tpu, answers.args);
  const now = { label: vscode.l10n.t('Predict Now'), press: () => again(target, answers) };
  const ofConfiguration = target.kind === 'configuration' ? [launchJsonButton(target.folder)] : [];
  await offer(vscode.window.showInformationMessage, sentence, [now, ...ofConfiguration]);
}
