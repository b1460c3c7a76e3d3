import * as vscode from 'vscode';
import { settingButton } from '../interpreter/interpreter';
import { launchJsonButton } from '../launch/launchJson';
import type { Target } from '../remembered';
import { type Button, commandButton } from '../userMessages';
import { sentenceOfEarlyEnd, signalOf } from './endings';

const SCRIPT_MISSING = 65;
const INTERPRETER_MISSING = 66;
const NO_JAX = 67;
const JAX_NOT_USED = 68;
const UNWRITABLE = 69;
const NOT_TRACED = 70;
/** Of a capture without a profile: its terminal tells of a process that was killed as of one that ended well. */
const KILLED = 0;

/** The run of a capture, and what it is of, where that is known. */
export interface FailedRun {
  readonly out: string;
  readonly target: Target | undefined;
}

/** What mends a failure with that exit code. */
export function remediesOfExit(exitCode: number | undefined, run: FailedRun): Button[] {
  const other = commandButton(vscode.l10n.t('Profile With…'), 'scopelight.profileWith');
  const interpreter = commandButton(vscode.l10n.t('Choose Interpreter…'), 'scopelight.chooseInterpreter');
  // A configuration may name an interpreter, which comes before the chosen one.
  const ofConfiguration = run.target?.kind === 'configuration' ? [launchJsonButton(run.target.folder)] : [];
  switch (exitCode) {
    case SCRIPT_MISSING:
      return [other, ...ofConfiguration];
    case JAX_NOT_USED:
      return [other];
    case INTERPRETER_MISSING:
      return [interpreter, ...(ofConfiguration.length > 0 ? ofConfiguration : [settingButton()])];
    case NO_JAX:
      return [interpreter, ...ofConfiguration];
    case UNWRITABLE:
    case NOT_TRACED:
    case KILLED:
    case undefined:
      return [againButton(run)];
    default:
      return signalOf(exitCode) === undefined ? [argumentsButton(run)] : [againButton(run), argumentsButton(run)];
  }
}

/** The button that makes a run again as it was made. */
export function againButton({ out }: FailedRun): Button {
  return commandButton(vscode.l10n.t('Profile Again'), 'scopelight.profileAgain', out);
}

/** The button that changes what a run is made with: its arguments, or the configuration that has them. */
export function argumentsButton({ out, target }: FailedRun): Button {
  return target?.kind === 'configuration'
    ? launchJsonButton(target.folder)
    : commandButton(vscode.l10n.t('Change Arguments…'), 'scopelight.changeArguments', out);
}

/** What an exit code of `scopelight run` means where no run directory says more. */
export function sentenceOfExit(exitCode: number | undefined, title: string): string {
  if (exitCode === undefined || exitCode === KILLED) {
    return vscode.l10n.t('{0} was ended before anything was captured.', title);
  }
  const sentences: Readonly<Record<number, string>> = {
    [SCRIPT_MISSING]: vscode.l10n.t('{0} does not exist: save it, or check the path.', title),
    [INTERPRETER_MISSING]: vscode.l10n.t('The Python interpreter does not start: choose another.'),
    [NO_JAX]: vscode.l10n.t('The Python interpreter has no jax: install jax there, or choose another.'),
    [JAX_NOT_USED]: vscode.l10n.t('{0} ended without using jax, so there is nothing to show.', title),
    [UNWRITABLE]: vscode.l10n.t(
      'The run directory cannot be written: check the permissions and the space on the disk.',
    ),
    [NOT_TRACED]: vscode.l10n.t('{0} used jax, but no trace could be taken: the terminal says why.', title),
  };
  return sentences[exitCode] ?? sentenceOfEarlyEnd(exitCode, title);
}
