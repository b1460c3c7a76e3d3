import type * as vscode from 'vscode';
import { runProcess } from './daemon/process';
import { registerDaemon } from './daemon/register';
import { registerFeatures } from './features';
import { Interpreters } from './interpreter/interpreter';
import { registerChooseInterpreter } from './interpreter/chooseInterpreter';
import { scriptInterpreter } from './interpreter/scriptInterpreter';
import { interpreterSources } from './interpreter/sources';
import { createLog } from './log';
import { registerFileEditors } from './panels/fileEditors';
import { PanelHost } from './panels/host';
import type { Services } from './services';
import { startWithProfiledFolders } from './daemon/profiledFolders';

/** Puts the parts together; reads no file and starts no process: that waits until something needs it. */
export function activate(context: vscode.ExtensionContext): void {
  const log = createLog();
  const interpreters = new Interpreters(interpreterSources(context.subscriptions), log);
  context.subscriptions.push(log, interpreters);
  const daemon = registerDaemon(context, log, interpreters);
  const services: Services = {
    context,
    daemon,
    log,
    scriptInterpreter: (resource) => scriptInterpreter(interpreters, resource, runProcess),
  };
  const features = registerFeatures(services, () => panels.isPageInSight);
  const panels: PanelHost = new PanelHost(services, features.shown, features.compared, features.lineAtCursor);
  context.subscriptions.push(
    features.disposable,
    registerChooseInterpreter(services, interpreters),
    panels,
    registerFileEditors(services, panels, features.shown),
    startWithProfiledFolders(services, () => daemon.startQuietly()),
  );
}
