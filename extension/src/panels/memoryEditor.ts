// The editor of snapshots of memory: `*.prof` and `*.pprof` open as Memory Profile, where a person chooses so.

import * as vscode from 'vscode';
import { fillFileTab } from './fileTab';
import type { PanelHost } from './host';

/**
 * The manifest names it: `customEditors`. It is an option and not the default: files of these names are more often of
 * other tools (cProfile writes `.prof`, pprof of other languages both), and open as they did. The panel says in a
 * sentence where a file holds no memory.
 */
export const MEMORY_EDITOR = 'scopelight.memorySnapshot';

/** The run that is shown stays: a snapshot has no lines that could take the place of its lines. */
export function registerMemoryEditor(panels: Pick<PanelHost, 'fill'>): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider(
    MEMORY_EDITOR,
    {
      openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: ({ uri }, tab) => {
        fillFileTab(panels, 'memoryProfile', tab, uri.fsPath);
      },
    },
    { supportsMultipleEditorsPerDocument: true, webviewOptions: { retainContextWhenHidden: true } },
  );
}
