import * as vscode from 'vscode';
import { nameOfTarget, targetOfCommand } from '../capture/meantScript';
import type { ProfileScriptParts } from '../capture/profileScript';
import { registerCommand } from '../failure';
import type { Services } from '../services';
import { chooseTpu } from './chooseTpu';
import { Comparisons } from './comparisons';
import { registerComparePredictions } from './comparePredictions';
import { registerCompareTpus } from './compareTpus';
import { compilerInstalled, registerRemoveCompiler } from './compiler';
import { predict, titleFor } from './predict';
import { ScriptArguments } from './scriptArguments';

/** The commands that say what a TPU would do with a script, or several would, and that remove the compiler which says it. */
export function registerPreflight(services: Services, parts: ProfileScriptParts): vscode.Disposable {
  const { remembered, list } = parts;
  const given = new ScriptArguments(remembered);
  const comparisons = new Comparisons(services);
  return vscode.Disposable.from(
    comparisons,
    registerRemoveCompiler(services, parts.captures),
    registerCompareTpus(services, parts, given, comparisons),
    registerComparePredictions(services, parts, comparisons),
    registerCommand(services, 'scopelight.preflight', async (uri) => {
      await services.daemon.beInstalled();
      const target = await targetOfCommand(remembered, uri);
      const compiler = target && (await compilerInstalled(services));
      const tpu = compiler && (await chooseTpu(services, remembered, compiler.offered));
      if (target === undefined || tpu === undefined) {
        return;
      }
      const name = await nameOfTarget(target, remembered, list);
      const title = titleFor(name, tpu);
      const answers = await given.answersOf(target, title);
      if (answers === undefined) {
        return;
      }
      await predict(services, parts, { target, answers }, tpu, title);
    }),
  );
}
