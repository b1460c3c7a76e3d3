import * as vscode from 'vscode';
import type { Services } from '../services';
import type { Remembered } from '../remembered';
import { OpenedProfiles } from './openedProfiles';
import { registerRunCommands } from './runCommands';
import type { RunsList } from './runsList';
import { RunsTree } from './runsTree';
import type { ShownRun } from './shownRun';

/** "5 minutes ago" is true for a minute. */
const REFRESHED_MS = 60_000;

/** The view Runs and its commands. */
export function registerRuns(
  services: Services,
  list: RunsList,
  shown: ShownRun,
  remembered: Remembered,
  isPageInSight: () => boolean,
): vscode.Disposable {
  const profiles = new OpenedProfiles(remembered);
  const tree = new RunsTree(list, shown, profiles);
  const view = vscode.window.createTreeView('scopelight.runs', { treeDataProvider: tree, showCollapseAll: false });
  return vscode.Disposable.from(
    profiles,
    tree,
    view,
    keepTimesTrue(view, () => tree.refresh()),
    registerRunCommands(services, { list, shown, profiles, isPageInSight }),
  );
}

/** Refreshes what a view says of the time that has passed, while it is seen. */
export function keepTimesTrue(
  view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
  refresh: () => void,
): vscode.Disposable {
  // When the view is first seen its times are new; to make its rows again could take one from under a click.
  let told_ms: number | null = null;
  const tell = (): void => {
    told_ms = Date.now();
    refresh();
  };
  const clock = setInterval(() => {
    if (view.visible) {
      tell();
    }
  }, REFRESHED_MS);
  const shownAgain = view.onDidChangeVisibility(({ visible }) => {
    if (visible && told_ms !== null && Date.now() - told_ms >= REFRESHED_MS) {
      tell();
    }
    told_ms ??= Date.now();
  });
  return new vscode.Disposable(() => {
    clearInterval(clock);
    shownAgain.dispose();
  });
}
