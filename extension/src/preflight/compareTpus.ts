// Compare TPUs…: one script for several TPUs, or with several values of one of its arguments.

import * as vscode from 'vscode';
import { captureRequest } from '../capture/captureRequest';
import { runCapture } from '../capture/captureSession';
import type { CaptureRequest, Preflight } from '../capture/captureCommand';
import { nameOfTarget, saveScripts, targetOfCommand } from '../capture/meantScript';
import type { ProfileScriptParts } from '../capture/profileScript';
import { registerCommand } from '../failure';
import { keyOf } from '../launch/targets';
import type { Services } from '../services';
import { preflightObserves } from '../settings';
import { chooseTpus } from './chooseTpu';
import type { Comparisons } from './comparisons';
import { compilerInstalled } from './compiler';
import type { ScriptArguments } from './scriptArguments';
import { askSweep, type Sweep } from './sweep';

/** Registers the command: each run is made by itself, one after the other, then all are shown side by side. */
export function registerCompareTpus(
  services: Services,
  parts: ProfileScriptParts,
  given: ScriptArguments,
  comparisons: Pick<Comparisons, 'open'>,
): vscode.Disposable {
  const { remembered, list, captures, shown } = parts;
  return registerCommand(services, 'scopelight.compareTpus', async (uri) => {
    await services.daemon.beInstalled();
    const target = await targetOfCommand(remembered, uri);
    const compiler = target && (await compilerInstalled(services));
    const tpus = compiler && (await chooseTpus(services, remembered, compiler.offered));
    if (target === undefined || tpus === undefined) {
      return;
    }
    const name = await nameOfTarget(target, remembered, list);
    const sweep =
      tpus.length > 1 ? null : await askSweep(remembered, vscode.l10n.t('{0} for {1}', name, tpus[0] ?? ''));
    const title = vscode.l10n.t('{0} for {1}', name, tpus.join(', '));
    const answers = sweep === undefined ? undefined : await given.answersOf(target, title);
    if (sweep === undefined || answers === undefined) {
      return;
    }
    await saveScripts();
    const request = await captureRequest(services, { target, answers }, name);
    const captured = { key: `${tpus.join(' ')} ${keyOf(target)}`, title, isPreflight: true };
    await captures.beMeant(captured);
    const before = shown.current?.path;
    const found = await captures.during(captured, () => captureAll(services, parts, variantsOf(request, tpus, sweep)));
    const last = found.at(-1);
    if (last === undefined) {
      return;
    }
    await comparisons.open(found);
    // Who selected another run meanwhile looks at that.
    if (shown.current === null || shown.current.path === before) {
      await shown.openCaptured(last);
    }
    await parts.retention.apply(request.folder);
  });
}

/** A capture of the script for each TPU, or of each value. */
function variantsOf(request: CaptureRequest, tpus: readonly string[], sweep: Sweep | null): readonly CaptureRequest[] {
  const of = (title: string, preflight: Preflight): CaptureRequest => ({ ...request, title, preflight });
  const observes = preflightObserves();
  return tpus.flatMap((tpu) => {
    const title = vscode.l10n.t('{0} for {1}', request.title, tpu);
    if (sweep === null) {
      return [of(title, { tpu, observes })];
    }
    const { name, values } = sweep;
    return values.map((value) => ({
      ...of(`${title}, ${name} ${value}`, { tpu, observes, argument: { name, value } }),
      // Its arguments are not those that were answered: they stand in its record.
      making: undefined,
    }));
  });
}

/** Captures one after the other; to cancel one leaves the others out. Resolves with the runs that there are. */
async function captureAll(
  services: Services,
  parts: ProfileScriptParts,
  requests: readonly CaptureRequest[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const request of requests) {
    const { out, isCaptured, isCancelled } = await runCapture(services, parts, request, true);
    if (isCaptured) {
      found.push(out);
    }
    if (isCancelled) {
      break;
    }
  }
  return found;
}
