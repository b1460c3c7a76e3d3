import * as vscode from 'vscode';
import type { Services } from '../services';
import { registerRunCommands } from './runCommands';
import type { RunsList } from './runsList';
import { RunsTree } from './runsTree';
import type { ShownRun } from './shownRun';

/** The view Runs and its commands. */
export function registerRuns(services: Services, list: RunsList, shown: ShownRun): vscode.Disposable {
  const tree = new RunsTree(list, shown);
  const view = vscode.window.createTreeView('scopelight.runs', { treeDataProvider: tree, showCollapseAll: false });
  return vscode.Disposable.from(tree, view, registerRunCommands(services, list, shown));
}
