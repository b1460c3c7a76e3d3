import * as vscode from 'vscode';

/** What others can follow as it changes, and what it is disposed of with. */
export abstract class Observable<Change = void> implements vscode.Disposable {
  protected readonly changed = new vscode.EventEmitter<Change>();
  protected readonly parts: { dispose(): unknown }[] = [this.changed];
  readonly onDidChange = this.changed.event;

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }
}
