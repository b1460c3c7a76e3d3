// What is selected, shared between all panels: select an op in one and it is selected in the others.

import * as vscode from 'vscode';
import type { Selection } from './messages';

export class SharedSelection implements vscode.Disposable {
  private selected: Selection | null = null;
  private readonly changed = new vscode.EventEmitter<Selection | null>();
  /** Fires after a change, never for the same selection twice. */
  readonly onDidChange = this.changed.event;

  get current(): Selection | null {
    return this.selected;
  }

  select(selection: Selection | null): void {
    if (isSame(this.selected, selection)) {
      return;
    }
    this.selected = selection;
    this.changed.fire(selection);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function isSame(one: Selection | null, other: Selection | null): boolean {
  return one === other || (one !== null && other !== null && one.file === other.file && one.line === other.line);
}
