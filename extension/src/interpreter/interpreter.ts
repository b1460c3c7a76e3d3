import * as vscode from 'vscode';
import { UserError } from '../failure';
import { sentenceOf } from '../log';
import { Observable } from '../observable';
import { type Button, commandButton } from '../userMessages';

/** Who named an interpreter. */
export type InterpreterOrigin = 'setting' | 'environmentsExtension' | 'pythonExtension' | 'path';

/** A Python that runs the user's scripts. */
export interface Interpreter {
  /** Absolute path of the executable. */
  readonly path: string;
  readonly origin: InterpreterOrigin;
}

/** One place that may know which Python runs the scripts of a folder. */
export interface InterpreterSource {
  readonly origin: InterpreterOrigin;
  /** The executable for the folder of `resource`, or undefined where this place names none. */
  find(resource: vscode.Uri | undefined): Promise<string | undefined>;
  /** Fires when `find` may answer differently; a source may fire without cause. */
  readonly onDidChange?: vscode.Event<void>;
}

/** A setting whose interpreter does not start: never passed over silently, as the user meant it. */
export class InterpreterSettingError extends UserError {
  constructor(setting: string) {
    super(sentenceOfSetting(setting), [
      commandButton(vscode.l10n.t('Choose Interpreter…'), 'scopelight.chooseInterpreter'),
      settingButton(),
    ]);
  }
}

/** Says of the setting that what it names does not start. */
export function sentenceOfSetting(setting: string): string {
  return vscode.l10n.t('The setting scopelight.interpreter is {0}, which does not start.', setting);
}

/** The button that leads to the setting. */
export function settingButton(): Button {
  return commandButton(vscode.l10n.t('Open Setting'), 'workbench.action.openSettings', 'scopelight.interpreter');
}

/**
 * Which Python runs the user's scripts: asks the sources in their order, and the first that knows one decides. Changes
 * when the interpreter of a folder that was asked for is another one.
 */
export class Interpreters extends Observable {
  /** What was told last for each folder: a change event that changes nothing is not passed on. */
  private readonly told = new Map<string, { resource: vscode.Uri | undefined; path: string | undefined }>();
  private checking: Promise<void> = Promise.resolve();

  constructor(
    private readonly sources: readonly InterpreterSource[],
    private readonly log: vscode.LogOutputChannel,
  ) {
    super();
    for (const source of sources) {
      const subscription = source.onDidChange?.(() => {
        this.checking = this.checking.then(() => this.tellIfChanged());
      });
      if (subscription) this.parts.push(subscription);
    }
  }

  /** Rejects with `InterpreterSettingError` where the setting names no interpreter; undefined where none is found. */
  async find(resource?: vscode.Uri): Promise<Interpreter | undefined> {
    const found = await this.ask(resource);
    this.told.set(resource?.toString() ?? '', { resource, path: found?.path });
    return found;
  }

  private async ask(resource: vscode.Uri | undefined): Promise<Interpreter | undefined> {
    for (const source of this.sources) {
      try {
        const path = await source.find(resource);
        if (path !== undefined) return { path, origin: source.origin };
      } catch (error) {
        if (error instanceof InterpreterSettingError) throw error;
        // Another extension's fault must not keep ours from working.
        this.log.warn(`The interpreter could not be asked of ${source.origin}: ${sentenceOf(error)}`);
      }
    }
    return undefined;
  }

  private async tellIfChanged(): Promise<void> {
    let differs = false;
    for (const last of this.told.values()) {
      const path = await this.ask(last.resource).then(
        (found) => found?.path,
        () => undefined,
      );
      differs ||= path !== last.path;
      last.path = path;
    }
    if (differs) this.changed.fire();
  }
}
