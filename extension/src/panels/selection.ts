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

  /** Returns whether that changed it. */
  select(selection: Selection | null): boolean {
    if (isSame(this.selected, selection)) {
      return false;
    }
    this.selected = selection;
    this.changed.fire(selection);
    return true;
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function isSame(one: Selection | null, other: Selection | null): boolean {
  if (one === null || other === null || one.kind !== other.kind) {
    return one === other;
  }
  return nameOf(one) === nameOf(other) && one.file === other.file && one.line === other.line;
}

function nameOf(selection: Selection): string | null {
  return 'key' in selection ? selection.key : 'name' in selection ? selection.name : null;
}
