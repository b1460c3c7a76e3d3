import * as vscode from 'vscode';

/** What an exit code of `scopelight run` means where no run directory says more. */
export function sentenceOfExit(exitCode: number | undefined, title: string): string {
  switch (exitCode) {
    case 65:
      return vscode.l10n.t('{0} does not exist: save it, or check the path.', title);
    case 66:
      return vscode.l10n.t(
        'The Python interpreter does not start: choose another with the setting scopelight.interpreter.',
      );
    case 67:
      return vscode.l10n.t(
        'The Python interpreter has no jax: install jax there, or choose another with the setting scopelight.interpreter.',
      );
    case 68:
      return vscode.l10n.t('{0} ended without using jax, so there is nothing to show.', title);
    case 69:
      return vscode.l10n.t('The run directory cannot be written: check the permissions and the space on the disk.');
    case 70:
      return vscode.l10n.t('{0} used jax, but no trace could be taken: the terminal says why.', title);
    case undefined:
      return vscode.l10n.t('{0} was ended before anything was captured.', title);
    default:
      return vscode.l10n.t('{0} ended with exit code {1} before anything was captured.', title, exitCode);
  }
}
