import * as vscode from 'vscode';
import type { Services } from '../services';
import type { Remembered } from '../remembered';
import { registerCaptureAgain } from './captureAgain';
import { OpenedProfiles } from './openedProfiles';
import { pathOf } from './pickRun';
import { registerCompareCommands } from '../comparison/compareCommands';
import type { ComparedRun } from '../comparison/comparedRun';
import { registerRemoteCommands, RemoteDirectories } from './remoteDirectories';
import { openListed, registerRunCommands } from './runCommands';
import { registerSetBudget } from './setBudget';
import { registerShareReport } from './shareReport';
import type { RunsList } from './runsList';
import { type RunNode, RunsTree } from './runsTree';
import type { ShownRun } from './shownRun';

/** "5 minutes ago" is true for a minute. */
const REFRESHED_MS = 60_000;
/** The editor draws rows a while after it was told of them, and forgets to highlight one that it has not drawn. */
const DRAWN_MS = 300;

/** The view Runs and its commands. */
export function registerRuns(
  services: Services,
  list: RunsList,
  shown: ShownRun,
  compared: ComparedRun,
  remembered: Remembered,
  isPageInSight: () => boolean,
): vscode.Disposable {
  const profiles = new OpenedProfiles(remembered);
  const remote = new RemoteDirectories(services);
  const tree = new RunsTree(list, shown, profiles, remote);
  const view = vscode.window.createTreeView('scopelight.runs', {
    treeDataProvider: tree,
    showCollapseAll: false,
    canSelectMany: true,
  });
  const runs = { list, shown, profiles, remembered, isPageInSight };
  return vscode.Disposable.from(
    profiles,
    remote,
    tree,
    view,
    // Its text is in the manifest, and stands where a tree is empty.
    vscode.window.registerTreeDataProvider('scopelight.start', {
      getChildren: () => [],
      getTreeItem: (node: never) => node,
    }),
    keepTimesTrue(view, () => tree.refresh()),
    keepShownSelected(services, view, tree, shown),
    registerRunCommands(services, runs),
    registerCompareCommands(services, runs, compared),
    registerCaptureAgain(services, runs),
    registerRemoteCommands(services, remote, (address) => openListed(runs, address)),
    registerShareReport(services, runs),
    registerSetBudget(services, runs),
  );
}

/** Has the run that is shown be the one that is highlighted, whoever showed it; the keyboard stays where it is. */
function keepShownSelected(
  { log }: Pick<Services, 'log'>,
  view: vscode.TreeView<RunNode>,
  tree: RunsTree,
  shown: ShownRun,
): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const select = async (): Promise<void> => {
    const leaf = view.visible ? await tree.shownLeaf() : undefined;
    // Who has selected several is about to do something with them.
    const isSelected = view.selection.length > 1 || view.selection.some((each) => pathOf(each) === pathOf(leaf));
    // To reveal in a view that is hidden would bring it up.
    if (leaf !== undefined && !isSelected && view.visible) {
      await view.reveal(leaf, { select: true, focus: false });
    }
  };
  const selectSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A run that is being deleted is not there to be revealed.
      select().catch((error: unknown) => log.debug(`The shown run could not be highlighted: ${String(error)}`));
    }, DRAWN_MS);
  };
  return vscode.Disposable.from(
    tree.onDidList(selectSoon),
    view.onDidChangeVisibility(selectSoon),
    shown.onDidFailToOpen(selectSoon),
    new vscode.Disposable(() => clearTimeout(timer)),
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
