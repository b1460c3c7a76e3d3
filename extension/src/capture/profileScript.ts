import * as vscode from 'vscode';
import { registerCommand, UserError } from '../failure';
import { describeWindow, stepSettings } from '../launch/captureWindow';
import { askHowToRun, moduleOfFile } from '../launch/howToRun';
import { findConfiguration } from '../launch/launchConfigurations';
import { activeScript, pickTarget } from '../launch/pickTarget';
import { keyOf, resourceOf } from '../launch/targets';
import { compilerInstalled } from '../preflight/compiler';
import { askHowAgain, askPredictedAnswers, offerToPredict, predict, titleFor } from '../preflight/predict';
import type { Answers, ConfigurationTarget, Making, Remembered, Target } from '../remembered';
import type { ComparedRun } from '../comparison/comparedRun';
import { isRunNode } from '../runs/pickRun';
import type { RunsList } from '../runs/runsList';
import { runTitle } from '../runs/runText';
import { runName } from '../runs/scriptNames';
import type { Services } from '../services';
import { commandButton, offer } from '../userMessages';
import { compareAgain, runOfOpenScript } from './againAndCompare';
import { askAnswers } from './answers';
import { fileOf, nameOfTarget, saveScripts, targetOfCommand } from './meantScript';
import { registerCaptureNow } from './captureProgress';
import { captureRequest, remediesOfGone, sentenceOfGone } from './captureRequest';
import { type EndedCapture, runCapture } from './captureSession';
import { type ProfilingParts, resumeCaptures } from './resumedCapture';
import { makingOf, recordedMaking, tpuOf } from './runAgain';

/** What the commands work with. */
export interface ProfileScriptParts extends ProfilingParts {
  readonly list: RunsList;
  readonly compared: ComparedRun;
}

/** The commands that run a script under the profiler; goes on with the captures of the window before a reload. */
export function registerProfileScript(services: Services, parts: ProfileScriptParts): vscode.Disposable {
  const { remembered, shown, list, compared } = parts;
  const tellContext = (): Thenable<unknown> => {
    const canProfileAgain = remembered.targets.length > 0 || shown.current !== null;
    return vscode.commands.executeCommand('setContext', 'scopelight.canProfileAgain', canProfileAgain);
  };
  void tellContext();
  void resumeCaptures(services, parts);

  const profile = async (target: Target, given?: Answers): Promise<EndedCapture | undefined> => {
    await saveScripts();
    const title = await nameOfTarget(target, remembered, list);
    const answers = given ?? remembered.answers(target) ?? (await askAnswers(target, title, undefined));
    if (answers === undefined) {
      return undefined;
    }
    const request = await captureRequest(services, { target, answers }, title);
    const captured = { key: keyOf(target), title: request.title };
    await parts.captures.beMeant(captured);
    await remembered.forgetChanged();
    await remember(remembered, { target, answers });
    await tellContext();
    const ended = await parts.captures.during(captured, () => runCapture(services, parts, request));
    if (ended.isCaptured) {
      await parts.retention.apply(request.folder);
    }
    return ended;
  };
  const profileChosen = async (target: Target | undefined): Promise<void> => {
    if (target !== undefined) {
      await profile(target);
    }
  };
  /** Makes a run again by `make`; says so where nothing tells how it was made. */
  const makeAgain = async (run: string, make: Make): Promise<void> => {
    const making = makingOf(run, remembered, await list.get());
    if (making === undefined) {
      const sentence = vscode.l10n.t('Which script this profile is of is not recorded: choose what to profile.');
      const choose = commandButton(vscode.l10n.t('Profile With…'), 'scopelight.profileWith');
      void offer(vscode.window.showInformationMessage, sentence, [choose]);
      return;
    }
    if (making.target.kind === 'configuration' && findConfiguration(making.target) === undefined) {
      const recorded = recordedMaking(run, await list.get());
      if (recorded !== undefined) {
        const answers = { ...recorded.answers, window: making.answers.window };
        await offerAsRecorded(making.target, () => make(recorded.target, answers));
        return;
      }
    }
    await make(making.target, making.answers);
  };
  /** Compiles a script for a TPU once more, with what it was given. */
  const predictFor =
    (tpu: string) =>
    async (target: Target, answers: Answers): Promise<EndedCapture | undefined> => {
      if ((await compilerInstalled(services)) !== undefined) {
        const name = await nameOfTarget(target, remembered, list);
        await remembered.forgetChanged();
        return predict(services, parts, { target, answers }, tpu, titleFor(name, tpu));
      }
      return undefined;
    };
  /** What is meant where no run is shown. */
  const latest = async (target: Target | undefined): Promise<Target | undefined> => target ?? pickTarget(remembered);

  return vscode.Disposable.from(
    shown.onDidChange(() => void tellContext()),
    parts.captures.onDidChange(() => {
      const isCapturing = parts.captures.active.length > 0;
      void vscode.commands.executeCommand('setContext', 'scopelight.isCapturing', isCapturing);
    }),
    registerCaptureNow(services, remembered, list),
    registerCommand(services, 'scopelight.profile', async (uri) => {
      await services.daemon.beInstalled();
      await profileChosen(await targetOfCommand(remembered, uri));
    }),
    registerCommand(services, 'scopelight.profileWith', async (uri) => {
      await services.daemon.beInstalled();
      const target = await pickTarget(remembered, uri instanceof vscode.Uri ? fileOf(uri) : undefined);
      const answers =
        target && (await askAnswers(target, await nameOfTarget(target, remembered, list), remembered.answers(target)));
      if (target !== undefined && answers !== undefined) {
        await profile(target, answers);
      }
    }),
    // Of a script that a run should have run as a module, the run is told.
    registerCommand(services, 'scopelight.profileAsModule', async (uri, run) => {
      await services.daemon.beInstalled();
      const file = uri instanceof vscode.Uri ? fileOf(uri) : activeScript();
      const target = file === undefined ? undefined : await moduleOfFile(file);
      if (file === undefined || target === undefined) {
        throw new UserError(vscode.l10n.t('The file belongs to no package: profile it as a script.'));
      }
      const tpu = typeof run === 'string' ? tpuOf(run, await list.refresh()) : null;
      const making = typeof run === 'string' ? remembered.making(run) : undefined;
      if (tpu !== null && making !== undefined) {
        await predictFor(tpu)(target, making.answers);
        return;
      }
      await profile(target, remembered.answers(target) ?? remembered.answers({ kind: 'script', path: file }));
    }),
    registerCommand(services, 'scopelight.profileAgain', async (node) => {
      await services.daemon.beInstalled();
      const run = runOf(node) ?? shown.current?.path;
      if (run === undefined) {
        await profileChosen(await latest(remembered.targets[0]));
        return;
      }
      const runs = await list.get();
      const record = runs.find(({ path }) => path === run);
      const tpu = tpuOf(run, runs);
      if (record === undefined || tpu === null) {
        await makeAgain(run, profile);
        return;
      }
      const how = await askHowAgain(tpu, runTitle(record, runName(record, runs)));
      if (how !== undefined) {
        await makeAgain(run, how === 'predict' ? predictFor(tpu) : profile);
      }
    }),
    registerCommand(services, 'scopelight.profileAgainAndCompare', async (node) => {
      await services.daemon.beInstalled();
      const runs = await list.get();
      const run = runOf(node) ?? shown.current?.path ?? runOfOpenScript(runs, remembered)?.path;
      if (run === undefined) {
        throw new UserError(
          vscode.l10n.t('No run is shown, and none is of the open script: choose one in the Runs view.'),
        );
      }
      const tpu = tpuOf(run, runs);
      const make = tpu === null ? profile : predictFor(tpu);
      await makeAgain(run, async (target, answers) => {
        const ended = await make(target, answers);
        if (ended?.isCaptured === true && !ended.isCancelled) {
          await compareAgain(compared, ended.out, run);
        }
      });
    }),
    registerCommand(services, 'scopelight.changeArguments', async (node) => {
      const run = runOf(node) ?? shown.current?.path;
      const runs = run === undefined ? [] : await list.get();
      const making = run === undefined ? undefined : makingOf(run, remembered, runs);
      const before = making?.target ?? (await latest(targetToChange(remembered)));
      const target = before && (await howToRun(before));
      if (target === undefined) {
        return;
      }
      const name = await nameOfTarget(target, remembered, list);
      const tpu = run === undefined ? null : tpuOf(run, runs);
      if (run !== undefined && making !== undefined && tpu !== null) {
        const changed = await askPredictedAnswers(target, name, tpu, making.answers);
        if (changed !== undefined) {
          await remembered.setChanged(run, { target, answers: changed });
          await offerToPredict({ target, answers: changed }, name, tpu, predictFor(tpu));
        }
        return;
      }
      const answers = await askAnswers(target, name, making?.answers ?? remembered.answers(target));
      if (answers !== undefined) {
        await remember(remembered, { target, answers });
        if (run !== undefined && making !== undefined) {
          await remembered.setChanged(run, { target, answers });
        }
        await offerToProfile({ target, answers }, name, profile);
      }
    }),
  );
}

type Make = (target: Target, answers: Answers) => Promise<unknown>;

/** The run that a command is for: by its node in the tree, or by its path as messages have it. */
function runOf(node: unknown): string | undefined {
  return typeof node === 'string' ? node : isRunNode(node) ? node.run.path : undefined;
}

/** What a record says is known from its run alone: it is nothing to offer for a file. */
async function remember(remembered: Remembered, { target, answers }: Making): Promise<void> {
  if (target.kind !== 'recorded') {
    await remembered.setAnswers(target, answers);
    await remembered.setLatest(target);
  }
}

function targetToChange(remembered: Remembered): Target | undefined {
  const file = activeScript();
  return (file === undefined ? undefined : remembered.targetOfFile(file)) ?? remembered.targets[0];
}

async function howToRun(before: Target): Promise<Target | undefined> {
  return before.kind === 'script' || before.kind === 'module' ? askHowToRun(before.path, before) : before;
}

async function offerToProfile({ target, answers }: Making, name: string, profile: Make): Promise<void> {
  const window = describeWindow(answers.window, stepSettings(resourceOf(target)));
  const sentence =
    answers.args === ''
      ? vscode.l10n.t('{0} will be profiled without arguments of its own: {1}.', name, window)
      : vscode.l10n.t('{0} will be profiled with {1}: {2}.', name, answers.args, window);
  const now = { label: vscode.l10n.t('Profile Now'), press: () => profile(target, answers) };
  await offer(vscode.window.showInformationMessage, sentence, [now]);
}

/** The configuration of a run is gone: what it ran stands in its record, but for its environment. */
async function offerAsRecorded(target: ConfigurationTarget, run: () => Promise<unknown>): Promise<void> {
  const missing = vscode.l10n.t('What it ran is recorded, but for the variables of its environment.');
  const asRecorded = { label: vscode.l10n.t('Run as Recorded'), press: run };
  const sentence = `${sentenceOfGone(target)} ${missing}`;
  await offer(vscode.window.showErrorMessage, sentence, [asRecorded, ...remediesOfGone(target)]);
}
