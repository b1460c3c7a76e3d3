import * as vscode from 'vscode';
import type { Captures } from '../capture/captures';
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

/** The command that gives its disk space back, once that was agreed to; never while a script is being compiled. */
export function registerRemoveCompiler(services: Services, captures: Pick<Captures, 'active'>): vscode.Disposable {
  return registerCommand(services, 'scopelight.removeCompiler', async () => {
    await services.daemon.beInstalled();
    const compiling = captures.active.find(({ isPreflight }) => isPreflight === true);
    if (compiling !== undefined) {
      throw new UserError(
        vscode.l10n.t('{0} is being compiled: remove the compiler for TPUs when that is done.', compiling.title),
      );
    }
    const state = await services.daemon.request('scopelight/compilerState', {});
    if (state.is_there && !(await isRemovalMeant(state))) {
      return;
    }
    // Also where it is not there: what is left of an installation that was broken off goes, too.
    const { removed_bytes } = await services.daemon.request('scopelight/removeCompiler', {});
    void vscode.window.showInformationMessage(
      removed_bytes === 0
        ? vscode.l10n.t('The compiler for TPUs is not on this machine.')
        : vscode.l10n.t('The compiler for TPUs was removed: {0} GB are free again.', (removed_bytes / 1e9).toFixed(2)),
    );
  });
}

async function isRemovalMeant({ disk_bytes, download_bytes, folder }: CompilerState): Promise<boolean> {
  const remove = vscode.l10n.t('Remove');
  const detail = vscode.l10n.t(
    'About {0} GB in {1} are free again then. Runs that were predicted stay; to predict another, {2} MB are downloaded again.',
    (disk_bytes / 1e9).toFixed(2),
    folder,
    Math.round(download_bytes / 1e6),
  );
  const question = vscode.l10n.t('Remove the compiler for TPUs?');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}
