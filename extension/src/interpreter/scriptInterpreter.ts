import path from 'node:path';
import * as vscode from 'vscode';
import type { ProcessRunner } from '../daemon/process';
import { chooseInterpreter } from '../settings';
import { isEnvironment } from './environments';
import type { Interpreter, Interpreters } from './interpreter';
import { InterpreterSettingError, sentenceOfSetting, settingButton } from './interpreter';
import { askForJax, jaxOf } from './jaxOf';
import {
  isOutdated,
  offeredEnvironments,
  pickEnvironment,
  scriptsFolder,
  titleOfEnvironment,
} from './offeredEnvironments';
import type { OfferedEnvironment } from './offeredEnvironments';
import { isTooOld, LEAST_PYTHON, pythonVersion, type PythonVersion } from './pythonVersion';

/** As many environments as a message has buttons for, beside that which leads to all. */
const MOST_BUTTONS = 2;

/**
 * The interpreter that is to run a script now: the chosen one where that has jax. Else environments that have it are
 * offered, and the answer is kept for the workspace. Rejects with `CancellationError` where the user leaves; undefined
 * where none is known, and the workspace is not trusted, so that nothing of it is looked at.
 */
export async function scriptInterpreter(
  interpreters: Interpreters,
  resource: vscode.Uri | undefined,
  run: ProcessRunner,
): Promise<string | undefined> {
  let chosen: Interpreter | undefined;
  let problem: string | undefined;
  let isOfSetting = false;
  try {
    chosen = await interpreters.find(resource);
  } catch (error) {
    if (!(error instanceof InterpreterSettingError)) throw error;
    problem = error.message;
    isOfSetting = true;
  }
  if (!vscode.workspace.isTrusted) return chosen?.path;
  problem ??= await problemOf(chosen, resource, run);
  isOfSetting ||= chosen?.origin === 'setting';
  if (problem !== undefined) return offer(problem, resource, { isOfSetting, inUse: chosen?.path });
  if (
    chosen === undefined ||
    chosen.origin !== 'path' ||
    (await isEnvironment(path.dirname(path.dirname(chosen.path))))
  )
    return chosen?.path;
  // The system's own has jax. Was it meant, in a folder that has environments of its own?
  const own = (await offeredEnvironments(resource, chosen.path)).filter(
    (each) => each.jax !== undefined && !isOutdated(each) && !each.isInUse && isIn(each, resource),
  );
  if (own.length === 0) return chosen.path;
  const sentence = vscode.l10n.t('No interpreter is chosen, and this folder has an environment of its own.');
  return offer(sentence, resource, { system: chosen.path, inUse: chosen.path });
}

/** Lets the user choose the interpreter of the scripts, and keeps it; undefined where the user leaves. */
export async function askInterpreter(
  interpreters: Interpreters,
  resource: vscode.Uri | undefined,
): Promise<string | undefined> {
  // What does not start is nothing that is in use.
  const inUse = await interpreters.find(resource).catch(() => undefined);
  const python = await pickEnvironment(await offeredEnvironments(resource, inUse?.path));
  if (python !== undefined) await chooseInterpreter(python, resource);
  return python;
}

/** Why a script cannot be run with that; undefined where it can. */
async function problemOf(
  chosen: Interpreter | undefined,
  resource: vscode.Uri | undefined,
  run: ProcessRunner,
): Promise<string | undefined> {
  if (chosen === undefined) return vscode.l10n.t('No Python was found.');
  const folder = path.dirname(path.dirname(chosen.path));
  const version = await pythonVersion(chosen.path, folder);
  if (version !== undefined && isTooOld(version)) return sentenceOfAge(chosen.path, version);
  if ((await jaxOf(folder)) !== undefined) return undefined;
  const answer = await askForJax(chosen.path, scriptsFolder(resource) ?? '', run);
  if (typeof answer !== 'string') return sentenceOfAge(chosen.path, answer);
  switch (answer) {
    case 'has':
      return undefined;
    case 'lacks':
      return vscode.l10n.t('{0} has no jax.', chosen.path);
    case 'does not start':
      return chosen.origin === 'setting'
        ? sentenceOfSetting(chosen.path)
        : vscode.l10n.t('{0} does not start.', chosen.path);
  }
}

function sentenceOfAge(python: string, version: PythonVersion): string {
  return vscode.l10n.t(
    '{0} is Python {1}, and scripts are profiled with Python {2} and later.',
    python,
    version.join('.'),
    LEAST_PYTHON.join('.'),
  );
}

interface Answer {
  readonly label: string;
  /** The interpreter that is chosen by it; undefined: none is. */
  readonly python: () => Promise<string | undefined>;
}

/** Offers environments as buttons, keeps what is chosen, and resolves with it. */
async function offer(
  problem: string,
  resource: vscode.Uri | undefined,
  {
    system,
    inUse,
    isOfSetting = false,
  }: { readonly system?: string; readonly inUse: string | undefined; readonly isOfSetting?: boolean },
): Promise<string> {
  const environments = await offeredEnvironments(resource, inUse);
  const suitable = environments.filter((each) => each.jax !== undefined && !isOutdated(each));
  const buttons: readonly Answer[] = [
    ...suitable.slice(0, MOST_BUTTONS).map((each) => answer(titleOfEnvironment(each), each.python)),
    ...(system === undefined ? [] : [answer(system, system)]),
    { label: vscode.l10n.t('Choose…'), python: () => pickEnvironment(environments) },
    ...(isOfSetting ? [settingAnswer()] : []),
    ...(suitable.length === 0 ? [copyButton(environments.find((each) => isIn(each, resource)))] : []),
  ];
  const name = resource === undefined ? '' : path.basename(resource.fsPath);
  const what =
    suitable.length === 0
      ? vscode.l10n.t('Install jax in the environment of your scripts, or choose another interpreter.')
      : vscode.l10n.t('What is to run {0}?', name);
  const labels = buttons.map(({ label }) => label);
  const chosen = await vscode.window.showWarningMessage(`${problem} ${what}`, ...labels);
  const python = await buttons.find(({ label }) => label === chosen)?.python();
  if (python === undefined) throw new vscode.CancellationError();
  await chooseInterpreter(python, resource);
  return python;
}

function answer(label: string, python: string): Answer {
  return { label, python: () => Promise.resolve(python) };
}

/** Leads to the setting that names the interpreter; the command ends, for another value is to be typed. */
function settingAnswer(): Answer {
  const { label, press } = settingButton();
  return { label, python: () => Promise.resolve(press()).then(() => undefined) };
}

/** Copies what installs jax, into an environment of the folder where there is one. */
function copyButton(own: OfferedEnvironment | undefined): Answer {
  const python = own?.python ?? 'python';
  const command = `${/\s/u.test(python) ? `"${python}"` : python} -m pip install jax`;
  return {
    label: vscode.l10n.t('Copy "pip install jax"'),
    python: async () => {
      await vscode.env.clipboard.writeText(command);
      return undefined;
    },
  };
}

function isIn({ folder }: OfferedEnvironment, resource: vscode.Uri | undefined): boolean {
  const own = resource === undefined ? undefined : vscode.workspace.getWorkspaceFolder(resource);
  return own !== undefined && folder.startsWith(own.uri.fsPath + path.sep);
}
