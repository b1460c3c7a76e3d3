import * as vscode from 'vscode';
import { askArguments } from '../capture/answers';
import { captureRequest } from '../capture/captureRequest';
import { runCapture } from '../capture/captureSession';
import { nameOfTarget, saveScripts, targetOfCommand } from '../capture/meantScript';
import type { ProfileScriptParts } from '../capture/profileScript';
import { registerCommand } from '../failure';
import { keyOf } from '../launch/targets';
import type { Answers, Target } from '../remembered';
import type { Services } from '../services';
import { preflightObserves } from '../settings';
import { chooseTpu } from './chooseTpu';
import { compilerInstalled, registerRemoveCompiler } from './compiler';

/** The commands that say what a TPU would do with a script, and that remove the compiler which says it. */
export function registerPreflight(services: Services, parts: ProfileScriptParts): vscode.Disposable {
  const { remembered, list } = parts;
  /** Arguments that were answered here, by the key of their target: profiling asks for more than them. */
  const given = new Map<string, string>();
  const answersOf = async (target: Target, title: string): Promise<Answers | undefined> => {
    const known = remembered.answers(target);
    if (known !== undefined || target.kind === 'configuration') {
      return known ?? { args: '', window: { kind: 'settings' } };
    }
    const args = await askArguments(title, given.get(keyOf(target)) ?? '');
    if (args === undefined) {
      return undefined;
    }
    given.set(keyOf(target), args);
    return { args, window: { kind: 'settings' } };
  };
  return vscode.Disposable.from(
    registerRemoveCompiler(services),
    registerCommand(services, 'scopelight.preflight', async (uri) => {
      await services.daemon.beInstalled();
      const target = await targetOfCommand(remembered, uri);
      const compiler = target && (await compilerInstalled(services));
      const tpu = compiler && (await chooseTpu(services, remembered, compiler.offered));
      if (target === undefined || tpu === undefined) {
        return;
      }
      const name = await nameOfTarget(target, remembered, list);
      const title = vscode.l10n.t('{0} for {1}', name, tpu);
      const answers = await answersOf(target, title);
      if (answers === undefined) {
        return;
      }
      await saveScripts();
      const request = await captureRequest(services, { target, answers }, title);
      const predicted = { ...request, preflight: { tpu, observes: preflightObserves() } };
      const captured = { key: `${tpu} ${keyOf(target)}`, title };
      await parts.captures.beMeant(captured);
      if (await parts.captures.during(captured, () => runCapture(services, parts, predicted))) {
        await parts.retention.apply(request.folder);
      }
    }),
  );
}
