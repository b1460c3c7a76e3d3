import * as vscode from 'vscode';
import { Observable } from '../observable';

/** The captures that are at work in this window. */
export class Captures extends Observable {
  private readonly titles: string[] = [];

  /** What is being captured, the latest last. */
  get active(): readonly string[] {
    return this.titles;
  }

  /**
   * Counts a capture as at work while `work` is. Where the same is being captured already, a second click need not mean
   * a second capture: it begins only where the user says so, and else this rejects with `CancellationError`.
   */
  async during<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
    if (this.titles.includes(title) && !(await isMeant(title))) {
      throw new vscode.CancellationError();
    }
    this.titles.push(title);
    this.changed.fire();
    try {
      return await work();
    } finally {
      this.titles.splice(this.titles.indexOf(title), 1);
      this.changed.fire();
    }
  }
}

async function isMeant(title: string): Promise<boolean> {
  const another = vscode.l10n.t('Start Another');
  const sentence = vscode.l10n.t('{0} is being profiled already: its progress has Cancel, which stops it.', title);
  return (await vscode.window.showInformationMessage(sentence, another)) === another;
}
