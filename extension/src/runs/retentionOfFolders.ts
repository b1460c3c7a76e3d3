import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../services';
import { runsToDelete } from './retention';
import type { RunsList } from './runsList';
import type { ShownRun } from './shownRun';
import { deleteForEver, moveToTrash } from './trash';

/** Keeps the runs of a folder within what the settings allow, after each capture. */
export class Retention {
  /** Folders whose user does not want runs deleted for ever; asked again in another session. */
  private readonly declined = new Set<string>();

  constructor(
    private readonly services: Pick<Services, 'log'>,
    private readonly list: RunsList,
    private readonly shown: ShownRun,
  ) {}

  /** Moves the runs of `folder` that are too many to the trash; where there is none, asks. */
  async apply(folder: string): Promise<void> {
    const settings = vscode.workspace.getConfiguration('scopelight.runs', vscode.Uri.file(folder));
    const limits = { runs: settings.get('keep', 20), bytes: settings.get('keepGigabytes', 5) * 1e9 };
    const own = (await this.list.refresh()).filter((run) => isInside(run.path, path.join(folder, '.scopelight')));
    const paths = runsToDelete(own, limits, this.shown.current?.path).map((run) => run.path);
    if (paths.length === 0) {
      return;
    }
    const left = await moveToTrash(paths);
    if (left.length < paths.length) {
      this.services.log.info(`Moved ${paths.length - left.length} older runs to the trash: ${paths.join(', ')}`);
    }
    if (left.length > 0 && !this.declined.has(folder)) {
      await this.askToDelete(folder, left);
    }
    await this.list.refresh();
  }

  private async askToDelete(folder: string, paths: readonly string[]): Promise<void> {
    const remove = vscode.l10n.t('Delete Permanently');
    const keep = vscode.l10n.t('Keep');
    const settings = vscode.l10n.t('Settings');
    const chosen = await vscode.window.showInformationMessage(
      paths.length === 1
        ? vscode.l10n.t('1 older run is more than is to be kept, and this machine has no trash.')
        : vscode.l10n.t('{0} older runs are more than is to be kept, and this machine has no trash.', paths.length),
      keep,
      remove,
      settings,
    );
    if (chosen === remove) {
      await deleteForEver(paths);
      this.services.log.info(`Deleted ${paths.length} older runs: ${paths.join(', ')}`);
      return;
    }
    this.declined.add(folder);
    if (chosen === settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'scopelight.runs');
    }
  }
}

function isInside(file: string, folder: string): boolean {
  return file.startsWith(folder + path.sep);
}
