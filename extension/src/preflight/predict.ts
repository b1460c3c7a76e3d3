// What a TPU would do with a script, for the first time and again.

import * as vscode from 'vscode';
import { captureRequest } from '../capture/captureRequest';
import { runCapture } from '../capture/captureSession';
import { saveScripts } from '../capture/meantScript';
import type { ProfilingParts } from '../capture/resumedCapture';
import { keyOf } from '../launch/targets';
import type { Making } from '../remembered';
import type { Services } from '../services';
import { preflightObserves } from '../settings';

/** Compiles a script for a TPU and shows what is predicted; `title` is what that is called. The compiler must be there. */
export async function predict(
  services: Services,
  parts: ProfilingParts,
  making: Making,
  tpu: string,
  title: string,
): Promise<void> {
  await saveScripts();
  const request = await captureRequest(services, making, title);
  const predicted = { ...request, preflight: { tpu, observes: preflightObserves() } };
  const captured = { key: `${tpu} ${keyOf(making.target)}`, title, isPreflight: true };
  await parts.captures.beMeant(captured);
  if ((await parts.captures.during(captured, () => runCapture(services, parts, predicted))).isCaptured) {
    await parts.retention.apply(request.folder);
  }
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
