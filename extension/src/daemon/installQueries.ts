import * as vscode from 'vscode';
import { withNotification } from '../userMessages';
import type { DaemonEnvironment } from './environment';
import { runStep } from './pip';
import type { ProcessRunner } from './process';

/** What answers queries, in the version that constraints.txt has. */
export const DUCKDB = 'duckdb==2.0.1';
const DOWNLOAD_MEGABYTES = 23;
const DISK_MEGABYTES = 70;

/**
 * Installs what answers queries where the daemon runs, once that was agreed to; the daemon need not be started again.
 * Resolves with whether it was. Rejects with `InstallError`, and with `CancellationError` when cancelled.
 */
export async function installQueries(
  environment: Pick<DaemonEnvironment, 'locate'>,
  run: ProcessRunner,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const place = await environment.locate();
  if (place.state !== 'ready') {
    await vscode.commands.executeCommand('scopelight.installDaemon');
    return false;
  }
  const install = vscode.l10n.t('Install');
  const takes = vscode.l10n.t(
    'About {0} MB are downloaded from where pip is configured to (PyPI); on the disk they take {1} MB.',
    DOWNLOAD_MEGABYTES,
    DISK_MEGABYTES,
  );
  const where =
    place.kind === 'own'
      ? vscode.l10n.t('It goes into a folder of the extension: nothing in your own environments changes.')
      : vscode.l10n.t('It goes into the environment of your interpreter, {0}.', place.python);
  const sentence = vscode.l10n.t('Queries in SQL need DuckDB.');
  const options = { modal: true, detail: `${takes}\n\n${where}` };
  if ((await vscode.window.showInformationMessage(sentence, options, install)) !== install) {
    return false;
  }
  await withNotification(vscode.l10n.t('Installing DuckDB'), async (onProgress, token) => {
    const report = (message: string): void => onProgress({ message });
    const pip = ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--only-binary', ':all:'];
    await runStep({ run, log, token, report }, 'download', place.python, [...pip, DUCKDB]);
  });
  void vscode.window.showInformationMessage(vscode.l10n.t('DuckDB is installed: run the query again.'));
  return true;
}
