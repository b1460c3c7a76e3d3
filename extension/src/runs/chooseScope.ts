import * as vscode from 'vscode';
import { registerCommand } from '../failure';
import type { Scope } from '../protocol';
import type { Services } from '../services';
import { changeSetting, scopeSetting } from '../settings';
import { scopeMeaning, scopeName, SCOPES } from './scopeWords';

/** Chooses what of a run is looked at, in everything at once. A panel's control names it; else a list asks for it. */
export function registerScope(services: Pick<Services, 'log'>): vscode.Disposable {
  return registerCommand(services, 'scopelight.selectScope', async (named?: unknown) => {
    const scope = SCOPES.find((known) => known === named) ?? (await pickScope());
    if (scope !== undefined) {
      await changeSetting('scope', scope);
    }
  });
}

async function pickScope(): Promise<Scope | undefined> {
  const present = scopeSetting();
  const items = SCOPES.map((scope) => ({
    label: scopeName(scope),
    detail: scopeMeaning(scope),
    scope,
    ...(scope === present ? { description: vscode.l10n.t('now') } : {}),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('What Is Looked At'),
    placeHolder: vscode.l10n.t('What of the run panels, annotations and the status bar are about'),
  });
  return picked?.scope;
}
