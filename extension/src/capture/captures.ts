import * as vscode from 'vscode';
import { Observable } from '../observable';

/** What is captured. */
export interface CapturedScript {
  /** What tells it from others: several scripts may have one title. */
  readonly key: string;
  /** What it is called on screen. */
  readonly title: string;
  /** Whether it is not profiled, but compiled for a TPU. */
  readonly isPreflight?: boolean;
}

/** What is done to a script while it is at work. */
export function headingOf({ title, isPreflight }: Pick<CapturedScript, 'title' | 'isPreflight'>): string {
  return isPreflight === true ? vscode.l10n.t('Compiling {0}', title) : vscode.l10n.t('Profiling {0}', title);
}

/** The captures that are at work in this window. */
export class Captures extends Observable {
  private readonly scripts: CapturedScript[] = [];
  /** What answers the question whether another capture of a script is to start, by its key. */
  private readonly answers = new Map<string, (isMeant: boolean) => void>();

  constructor() {
    super();
    this.parts.push(
      vscode.commands.registerCommand('scopelight.startAnother', (key) => this.answers.get(String(key))?.(true)),
    );
  }

  /** What is being captured, the latest last. */
  get active(): readonly CapturedScript[] {
    return this.scripts;
  }

  /** Counts a capture as at work while `work` is. */
  async during<Result>(script: CapturedScript, work: () => Promise<Result>): Promise<Result> {
    this.scripts.push(script);
    this.changed.fire();
    try {
      return await work();
    } finally {
      this.scripts.splice(this.scripts.indexOf(script), 1);
      if (!this.isCaptured(script)) {
        this.answers.get(script.key)?.(false);
      }
      this.changed.fire();
    }
  }

  /**
   * Where a script is being captured already, a second click need not mean a second capture: resolves only where the user
   * says so, and else rejects with `CancellationError`.
   */
  async beMeant(script: CapturedScript): Promise<void> {
    if (this.isCaptured(script) && !(await this.askForAnother(script))) {
      throw new vscode.CancellationError();
    }
  }

  private isCaptured({ key }: CapturedScript): boolean {
    return this.scripts.some((each) => each.key === key);
  }

  /** Asks in a notification of progress, for such a one goes when what it says is true no more. */
  private async askForAnother({ key, title, isPreflight }: CapturedScript): Promise<boolean> {
    this.answers.get(key)?.(false);
    const answered = new Promise<boolean>((resolve) => this.answers.set(key, resolve));
    const command = `scopelight.startAnother?${encodeURIComponent(JSON.stringify([key]))}`;
    // Without buttons a notification has one line: what can be done must be in it.
    const message = `[${vscode.l10n.t('Start Another')}](command:${command})`;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title:
        isPreflight === true
          ? vscode.l10n.t('{0} is being compiled already', title)
          : vscode.l10n.t('{0} is being profiled already', title),
    };
    return vscode.window.withProgress(options, (progress) => {
      progress.report({ message });
      return answered;
    });
  }
}
