import * as vscode from 'vscode';
import { registerCommand } from '../failure';
import type { Services } from '../services';
import { commandButton, offer } from '../userMessages';
import type { Interpreters } from './interpreter';
import { askInterpreter } from './scriptInterpreter';

/** The command that lists the environments of the workspace and of this machine, and keeps the one that is chosen. */
export function registerChooseInterpreter(
  services: Pick<Services, 'log'>,
  interpreters: Interpreters,
): vscode.Disposable {
  return registerCommand(services, 'scopelight.chooseInterpreter', async () => {
    const document = vscode.window.activeTextEditor?.document;
    const isOfFolder = document !== undefined && vscode.workspace.getWorkspaceFolder(document.uri) !== undefined;
    const python = await askInterpreter(interpreters, isOfFolder ? document.uri : undefined);
    if (python !== undefined) {
      const sentence = vscode.l10n.t('Scripts are profiled with {0} from now on.', python);
      const again = commandButton(vscode.l10n.t('Profile Again'), 'scopelight.profileAgain');
      void offer(vscode.window.showInformationMessage, sentence, [again]);
    }
  });
}
