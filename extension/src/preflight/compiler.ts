import * as vscode from 'vscode';
import { registerCommand, UserError } from '../failure';
import type { CompilerState } from '../protocol';
import type { Services } from '../services';
import { withNotification } from '../userMessages';

/**
 * Has the compiler for TPUs on this machine: downloads it once it was said what that takes, and agreed to. Resolves with
 * what is known of it; undefined where it was not agreed to. Throws `UserError` where there is none for the machine.
 */
export async function compilerInstalled(services: Services): Promise<CompilerState | undefined> {
  const state = await services.daemon.request('scopelight/compilerState', {});
  if (state.problem !== null) {
    throw new UserError(state.problem);
  }
  if (state.is_there) {
    return state;
  }
  const download = vscode.l10n.t('Download');
  const detail = vscode.l10n.t(
    '{0} MB are downloaded from where pip is configured to (PyPI). They take {1} GB in {2}, apart from your own environments, until “Scopelight: Remove the Compiler for TPUs”.',
    Math.round(state.download_bytes / 1e6),
    (state.disk_bytes / 1e9).toFixed(2),
    state.folder,
  );
  const sentence = vscode.l10n.t('The compiler for TPUs is not on this machine yet.');
  const chosen = await vscode.window.showInformationMessage(sentence, { modal: true, detail }, download);
  if (chosen !== download) {
    return undefined;
  }
  await withNotification(vscode.l10n.t('Installing the compiler for TPUs'), (onProgress, token) =>
    services.daemon.request('scopelight/installCompiler', { workDoneToken: null }, { token, onProgress }),
  );
  return state;
}

/** The command that gives its disk space back. */
export function registerRemoveCompiler(services: Services): vscode.Disposable {
  return registerCommand(services, 'scopelight.removeCompiler', async () => {
    await services.daemon.beInstalled();
    const { removed_bytes } = await services.daemon.request('scopelight/removeCompiler', {});
    void vscode.window.showInformationMessage(
      removed_bytes === 0
        ? vscode.l10n.t('The compiler for TPUs is not on this machine.')
        : vscode.l10n.t('The compiler for TPUs was removed: {0} GB are free again.', (removed_bytes / 1e9).toFixed(2)),
    );
  });
}
