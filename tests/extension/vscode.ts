// Stands for the module `vscode` in unit tests: the parts of the editor that the extension touches, kept in memory.
// A test looks at what the extension did through `fake`, and calls `resetFake` before each test.
import { fake } from './vscode/fake';
import { noTabs, window } from './vscode/window';
import { workspace } from './vscode/workspace';

export * from './vscode/events';
export * from './vscode/files';
export * from './vscode/text';
export * from './vscode/edits';
export * from './vscode/items';
export * from './vscode/choices';
export * from './vscode/fake';
export * from './vscode/window';
export * from './vscode/workspace';
export * from './vscode/services';

export function resetFake(): void {
  fake.settings.clear();
  fake.messages.length = 0;
  fake.contexts.clear();
  fake.commands.clear();
  fake.executed.length = 0;
  fake.extensions.clear();
  fake.progress.length = 0;
  fake.watchers.length = 0;
  workspace.isTrusted = true;
  workspace.workspaceFolders = undefined;
  window.activeTextEditor = undefined;
  window.visibleTextEditors = [];
  window.tabGroups = noTabs();
}
