// The editor of profile files: `*.xplane.pb` opens as a timeline.

import path from 'node:path';
import * as vscode from 'vscode';
import type { RequestOptions } from '../daemon/connection';
import { traceOf } from '../log';
import type { OpenedRun } from '../protocol';
import type { Services } from '../services';
import { fillFileTab } from './fileTab';
import type { PanelHost } from './host';

/** The manifest names it: `customEditors`. */
export const PROFILE_EDITOR = 'scopelight.profile';

/** The run that is shown, and how to show another. */
export interface ShownRuns {
  readonly current: OpenedRun | null;
  open(path: string, options?: RequestOptions): Promise<OpenedRun>;
}

export function registerProfileEditor(
  services: Pick<Services, 'log'>,
  panels: Pick<PanelHost, 'fill'>,
  shown: ShownRuns,
): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider(
    PROFILE_EDITOR,
    {
      openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: ({ uri }, tab) => {
        const file = fillFileTab(panels, 'timeline', tab, uri.fsPath);
        const open = (run: string): void => {
          // The timeline does not wait for it, and says itself what is wrong with a file that cannot be read.
          shown.open(run).catch((error: unknown) => {
            services.log.warn(`The run of ${uri.fsPath} could not be shown: ${traceOf(error)}`);
          });
        };
        if (!holds(shown.current, uri.fsPath)) {
          open(uri.fsPath);
        }
        file.onDidChange(() => {
          // What else is shown of it is old too.
          if (!file.isGone && shown.current !== null && holds(shown.current, uri.fsPath)) {
            open(shown.current.path);
          }
        });
      },
    },
    { supportsMultipleEditorsPerDocument: true, webviewOptions: { retainContextWhenHidden: true } },
  );
}

/** The profile that the editor in front is of; undefined where it is none of this kind. */
export function profileInFront(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && input.viewType === PROFILE_EDITOR ? input.uri.fsPath : undefined;
}

function holds(run: OpenedRun | null, file: string): boolean {
  return run !== null && (run.path === file || file.startsWith(run.path + path.sep));
}
