import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../failure';
import { calibrates, recordsHost, resourcesPeriod, stepSettings } from '../launch/captureWindow';
import { findConfiguration, launchContext, resolveLaunch } from '../launch/launchConfigurations';
import { launchJsonButton } from '../launch/launchJson';
import { splitArguments } from '../launch/scriptArguments';
import { resourceOf, titleOf } from '../launch/targets';
import type { ConfigurationTarget, Making, ModuleTarget } from '../remembered';
import type { Services } from '../services';
import { type Button, commandButton } from '../userMessages';
import type { CaptureRequest } from './captureCommand';

type Launch = Pick<CaptureRequest, 'name' | 'isModule' | 'args' | 'cwd' | 'env' | 'python' | 'folder'>;

/** The capture that a target and its answers describe; `title` is what it is called. Throws `UserError`. */
export async function captureRequest(
  services: Pick<Services, 'scriptInterpreter'>,
  making: Making,
  title = titleOf(making.target),
): Promise<CaptureRequest> {
  const { target, answers } = making;
  const resource = resourceOf(target);
  const launch = await launchOf(making);
  return {
    ...launch,
    title,
    python: launch.python ?? (await services.scriptInterpreter(resource)),
    window: answers.window,
    steps: stepSettings(resource),
    calibrates: calibrates(resource),
    recordsHost: recordsHost(resource),
    resources_ms: resourcesPeriod(resource),
    making,
  };
}

async function launchOf({ target, answers }: Making): Promise<Launch> {
  const args = splitArguments(answers.args);
  switch (target.kind) {
    case 'script': {
      const cwd = workspaceOf(target.path) ?? path.dirname(target.path);
      return { name: target.path, isModule: false, args, cwd, env: {}, python: undefined, folder: cwd };
    }
    case 'module': {
      // Where it starts is the same as for a script: paths of data are relative to it.
      const cwd = workspaceOf(target.path) ?? target.root;
      const env = moduleEnvironment(target, cwd);
      return { name: target.module, isModule: true, args, cwd, env, python: undefined, folder: cwd };
    }
    case 'recorded': {
      const { isModule, cwd, folder } = target;
      const name = isModule ? target.script : path.resolve(cwd, target.script);
      return { name, isModule, args, cwd, env: {}, python: target.python ?? undefined, folder };
    }
    case 'configuration':
      return launchOfConfiguration(target);
  }
}

async function launchOfConfiguration(target: ConfigurationTarget): Promise<Launch> {
  const configuration = findConfiguration(target);
  if (configuration === undefined) {
    throw new UserError(sentenceOfGone(target), remediesOfGone(target));
  }
  try {
    const launch = await resolveLaunch(configuration, launchContext(configuration.folder));
    return { ...launch, folder: configuration.folder.uri.fsPath };
  } catch (error) {
    throw error instanceof UserError ? new UserError(error.message, [launchJsonButton(target.folder)]) : error;
  }
}

/** Says that a configuration is not there any more. */
export function sentenceOfGone({ name }: ConfigurationTarget): string {
  return vscode.l10n.t('launch.json has no configuration “{0}” any more.', name);
}

/** What is done instead where a configuration is not there any more. */
export function remediesOfGone({ folder }: ConfigurationTarget): Button[] {
  return [commandButton(vscode.l10n.t('Profile With…'), 'scopelight.profileWith'), launchJsonButton(folder)];
}

/** A module is found from where it starts; from elsewhere, as in a `src` folder, by the path of modules. */
function moduleEnvironment({ root }: ModuleTarget, cwd: string): Readonly<Record<string, string>> {
  const others = process.env['PYTHONPATH'] ?? '';
  return root === cwd ? {} : { PYTHONPATH: others === '' ? root : [root, others].join(path.delimiter) };
}

function workspaceOf(file: string): string | undefined {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath;
}
