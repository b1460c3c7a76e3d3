// Share Report: a run as one file for any browser, or as text in the clipboard.

import path from 'node:path';
import * as vscode from 'vscode';
import { byteSize } from '../../webview/shared/text/format';
import { registerCommand } from '../failure';
import type { WriteReport, WrittenReport } from '../protocol';
import type { Services } from '../services';
import { type Button, offer, withNotification } from '../userMessages';
import { askFile, fileButtons, profileName } from '../writtenFile';
import { pathOf, pickPath, type RunsShown } from './pickRun';

interface ReportItem extends vscode.QuickPickItem {
  readonly wish: Required<Pick<WriteReport, 'format' | 'with_source'>>;
}

/** Registers `Share Report…`: of the run of the node, else of the one that is shown. */
export function registerShareReport(services: Services, runs: RunsShown): vscode.Disposable {
  return registerCommand(services, 'scopelight.shareReport', async (node) => {
    const run =
      pathOf(node) ??
      runs.shown.current?.path ??
      (await pickPath(runs, vscode.l10n.t('The run to share'), ({ state }) => state !== 'running'));
    const wish = run === undefined ? undefined : (await pickKind())?.wish;
    if (run === undefined || wish === undefined) {
      return;
    }
    const name = `${profileName(run)}-report.html`;
    const file = wish.format === 'html' ? await askFile(vscode.l10n.t('Share Report'), name, { HTML: ['html'] }) : null;
    if (file === undefined) {
      return;
    }
    const title = vscode.l10n.t('Making the report of {0}', path.basename(run));
    const written = await withNotification(title, (onProgress, token) =>
      services.daemon.request(
        'scopelight/writeReport',
        { ...wish, path: run, output: file?.fsPath ?? null, workDoneToken: null },
        { token, onProgress },
      ),
    );
    if (written.text === null) {
      tell(written);
      return;
    }
    await vscode.env.clipboard.writeText(written.text);
    vscode.window.setStatusBarMessage(vscode.l10n.t('The report is in the clipboard.'), 5000);
  });
}

function pickKind(): Thenable<ReportItem | undefined> {
  const items: readonly ReportItem[] = [
    {
      label: vscode.l10n.t('Pages with the Source'),
      detail: vscode.l10n.t(
        'One HTML file for any browser, with the recorded source, the command line and settings of the run',
      ),
      wish: { format: 'html', with_source: true },
    },
    {
      label: vscode.l10n.t('Pages without the Source'),
      detail: vscode.l10n.t('The same with names of files, functions and ops, and no line of their text'),
      wish: { format: 'html', with_source: false },
    },
    {
      label: vscode.l10n.t('Markdown in the Clipboard'),
      detail: vscode.l10n.t('Where the steps went and what to do next, for an issue or a message'),
      wish: { format: 'markdown', with_source: false },
    },
  ];
  return vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('What to share of the run') });
}

/** Says where the file is, and offers what to do with it. Nobody waits for the answer. */
function tell({ path: written, bytes }: WrittenReport): void {
  const file = written ?? '';
  const open: Button = {
    label: vscode.l10n.t('Open in Browser'),
    press: () => vscode.env.openExternal(vscode.Uri.file(file)),
  };
  // A browser is on the machine in front of the person.
  const isHere = vscode.env.remoteName === undefined;
  const said = vscode.l10n.t('The report is in {0} ({1}).', file, byteSize(bytes));
  void offer(vscode.window.showInformationMessage, said, [...(isHere ? [open] : []), ...fileButtons(file)]);
}
