import path from 'node:path';
import * as vscode from 'vscode';
import type { CaptureRequest } from './captureCommand';
import { runCapture } from './captureSession';
import { type ProfilingParts, resumeCaptures } from './resumedCapture';
import { registerCommand, UserError } from '../failure';
import {
  askWindow,
  calibrates,
  describeWindow,
  recordsHost,
  resourcesPeriod,
  stepSettings,
} from '../launch/captureWindow';
import { launchConfigurations, launchContext, resolveLaunch } from '../launch/launchConfigurations';
import { activeScript, pickTarget, titleOf } from '../launch/pickTarget';
import { splitArguments } from '../launch/scriptArguments';
import { offer } from '../userMessages';
import type { Answers, Remembered, Target } from '../remembered';
import type { Services } from '../services';

/** The commands that run a script under the profiler; goes on with the captures of the window before a reload. */
export function registerProfileScript(services: Services, parts: ProfilingParts): vscode.Disposable {
  const { remembered } = parts;
  const tellContext = (): Thenable<unknown> =>
    vscode.commands.executeCommand('setContext', 'scopelight.canProfileAgain', remembered.targets.length > 0);
  void tellContext();
  void resumeCaptures(services, parts);

  const profile = async (target: Target): Promise<void> => {
    await saveScripts();
    const answers = remembered.answers(target) ?? (await ask(target, undefined));
    if (answers === undefined) {
      return;
    }
    const request = await captureRequest(services, target, answers);
    await remembered.setAnswers(target, answers);
    await remembered.setLatest(target);
    await tellContext();
    if (await parts.captures.during(request.title, () => runCapture(services, parts, request))) {
      await parts.retention.apply(request.folder);
    }
  };

  return vscode.Disposable.from(
    registerCommand(services, 'scopelight.profile', async (uri) => {
      await services.daemon.beInstalled();
      const target = uri instanceof vscode.Uri ? scriptOf(uri) : await targetOfPalette(remembered);
      if (target !== undefined) {
        await profile(target);
      }
    }),
    registerCommand(services, 'scopelight.profileAgain', async () => {
      await services.daemon.beInstalled();
      const target = remembered.targets[0] ?? (await pickTarget(remembered));
      if (target !== undefined) {
        await profile(target);
      }
    }),
    registerCommand(services, 'scopelight.changeArguments', async () => {
      const target = targetToChange(remembered) ?? (await pickTarget(remembered));
      if (target === undefined) {
        return;
      }
      const answers = await ask(target, remembered.answers(target));
      if (answers !== undefined) {
        await remembered.setAnswers(target, answers);
        await offerToProfile(target, answers, profile);
      }
    }),
  );
}

/** In the palette the active script is meant, unless configurations offer another way to run it the first time. */
async function targetOfPalette(remembered: Remembered): Promise<Target | undefined> {
  const active = activeScript();
  const isDecided = active !== undefined && remembered.answers(active) !== undefined;
  return active !== undefined && (isDecided || launchConfigurations().length === 0) ? active : pickTarget(remembered);
}

function targetToChange(remembered: Remembered): Target | undefined {
  const active = activeScript();
  return active !== undefined && remembered.answers(active) !== undefined ? active : remembered.targets[0];
}

function scriptOf(uri: vscode.Uri): Target {
  if (uri.scheme !== 'file') {
    throw new UserError(vscode.l10n.t('The script is not a file on this machine: save it first.'));
  }
  return { kind: 'script', path: uri.fsPath };
}

/** Asks for arguments and window; undefined where the user leaves. A configuration has its own arguments. */
async function ask(target: Target, before: Answers | undefined): Promise<Answers | undefined> {
  const title = vscode.l10n.t('Profile {0}', titleOf(target));
  const args = target.kind === 'script' ? await askArguments(title, before?.args ?? '') : '';
  if (args === undefined) {
    return undefined;
  }
  const window = await askWindow(title, stepSettings(resourceOf(target)), before?.window);
  return window === undefined ? undefined : { args, window };
}

function askArguments(title: string, value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    value,
    prompt: vscode.l10n.t('Arguments of the script, as on a command line. They are remembered for the script.'),
    placeHolder: vscode.l10n.t('none'),
    ignoreFocusOut: true,
    validateInput: (text) => {
      try {
        splitArguments(text);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  });
}

async function offerToProfile(
  target: Target,
  answers: Answers,
  profile: (target: Target) => Promise<void>,
): Promise<void> {
  const window = describeWindow(answers.window, stepSettings(resourceOf(target)));
  const sentence =
    answers.args === ''
      ? vscode.l10n.t('{0} will be profiled without arguments of its own: {1}.', titleOf(target), window)
      : vscode.l10n.t('{0} will be profiled with {1}: {2}.', titleOf(target), answers.args, window);
  const now = { label: vscode.l10n.t('Profile Now'), press: () => profile(target) };
  await offer(vscode.window.showInformationMessage, sentence, [now]);
}

/** The capture that a target and its answers describe. Throws `UserError`. */
async function captureRequest(services: Services, target: Target, answers: Answers): Promise<CaptureRequest> {
  const resource = resourceOf(target);
  const common = {
    title: titleOf(target),
    window: answers.window,
    steps: stepSettings(resource),
    calibrates: calibrates(resource),
    recordsHost: recordsHost(resource),
    resources_ms: resourcesPeriod(resource),
  };
  if (target.kind === 'script') {
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(target.path))?.uri.fsPath;
    const cwd = folder ?? path.dirname(target.path);
    const python = await services.scriptInterpreter(resource);
    const args = splitArguments(answers.args);
    return { ...common, name: target.path, isModule: false, args, cwd, env: {}, python, folder: cwd };
  }
  const configuration = launchConfigurations().find(
    ({ folder, name }) => folder.uri.toString() === target.folder && name === target.name,
  );
  if (configuration === undefined) {
    throw new UserError(vscode.l10n.t('launch.json has no configuration “{0}” any more.', target.name));
  }
  const launch = await resolveLaunch(configuration, launchContext(configuration.folder));
  const python = launch.python ?? (await services.scriptInterpreter(resource));
  return { ...common, ...launch, title: target.name, python, folder: configuration.folder.uri.fsPath };
}

function resourceOf(target: Target): vscode.Uri {
  return target.kind === 'script' ? vscode.Uri.file(target.path) : vscode.Uri.parse(target.folder);
}

/** What runs is what is on the disk: as when running without the profiler, edited Python files are saved first. */
async function saveScripts(): Promise<void> {
  const edited = vscode.workspace.textDocuments.filter(
    ({ isDirty, isUntitled, languageId }) => isDirty && !isUntitled && languageId === 'python',
  );
  for (const document of edited) {
    if (!(await document.save())) {
      throw new UserError(vscode.l10n.t('{0} could not be saved, so it was not run.', document.fileName));
    }
  }
}
