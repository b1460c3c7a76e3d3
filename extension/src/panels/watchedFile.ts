// A file that a page is of: tells when there is something else in it, and when it is gone.

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { Observable } from '../observable';

/** What is written in parts is told once nothing came for so long. */
export const SETTLED_MS = 1000;

export class WatchedFile extends Observable {
  private settling: ReturnType<typeof setTimeout> | undefined;
  private known: string | null;
  private changes = 0;
  private gone = false;

  constructor(readonly path: string) {
    super();
    this.known = stampOf(path);
    // All of the folder, since a file's name may have what patterns give a meaning to.
    const folder = vscode.Uri.file(dirname(path));
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    const settle = ({ fsPath }: vscode.Uri): void => {
      if (fsPath === path) {
        clearTimeout(this.settling);
        this.settling = setTimeout(() => this.look(), SETTLED_MS);
      }
    };
    watcher.onDidChange(settle);
    watcher.onDidCreate(settle);
    // What is written anew may be gone for a moment.
    watcher.onDidDelete(settle);
    this.parts.push(watcher, new vscode.Disposable(() => clearTimeout(this.settling)));
  }

  /** How often it has changed. */
  get generation(): number {
    return this.changes;
  }

  /** Whether it is not there any more. What was read of it stays. */
  get isGone(): boolean {
    return this.gone;
  }

  /** Looks whether it has changed: not every place tells of that. */
  look(): void {
    const stamp = stampOf(this.path);
    const wasGone = this.gone;
    const isAnother = stamp !== null && stamp !== this.known;
    this.gone = stamp === null;
    if (isAnother) {
      this.known = stamp;
      this.changes += 1;
    }
    if (isAnother || this.gone !== wasGone) {
      this.changed.fire();
    }
  }
}

/** Another one where a file was written; null where there is none. */
function stampOf(file: string): string | null {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return [mtimeMs, size, ino].join(' ');
  } catch {
    return null;
  }
}
