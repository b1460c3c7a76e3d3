// Writes timelines to files for Chrome's tracing and Perfetto.

import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { registerCommand, UserError } from '../failure';
import { offer, withNotification } from '../userMessages';
import { askFile, fileButtons, profileName } from '../writtenFile';
import type { TimelineExport } from './messages';
import { profileInFront } from './fileEditors';
import type { ExportedTimeline } from '../protocol';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';

/** Perfetto's own page; it reads files in the browser, without sending them anywhere. */
const PERFETTO = 'https://ui.perfetto.dev';

/** Registers `Export Timeline…` and `Open in Perfetto`, of what they are called with or of the whole timeline. */
export function registerExportTimeline(services: Services, shown: Pick<ShownRun, 'current'>): vscode.Disposable {
  /** Of each profile a folder of its own: those of one name are apart, and so are the users of a machine. */
  const folders = new Map<string, string>();
  const partOf = (argument: unknown): TimelineExport => {
    if (isPart(argument)) {
      return argument;
    }
    const file = profileInFront() ?? null;
    if (file === null && shown.current === null) {
      throw new UserError(vscode.l10n.t('There is no timeline to export: open a profile first.'));
    }
    return { start_ps: null, end_ps: null, tracks: null, path: file };
  };
  const nameOf = (part: TimelineExport): string =>
    `${profileName(part.path ?? shown.current?.path ?? 'timeline')}.trace.json`;
  const write = (part: TimelineExport, output: string): Thenable<ExportedTimeline> =>
    withNotification(vscode.l10n.t('Writing {0}', path.basename(output)), (onProgress, token) =>
      services.daemon.request(
        'scopelight/exportTimeline',
        { ...part, output, workDoneToken: null },
        { token, onProgress },
      ),
    );

  return vscode.Disposable.from(
    registerCommand(services, 'scopelight.exportTimeline', async (argument) => {
      const part = partOf(argument);
      const filters = { [vscode.l10n.t("Chrome's trace events")]: ['json'] };
      const output = await askFile(vscode.l10n.t('Export Timeline'), nameOf(part), filters);
      if (output !== undefined) {
        tell(await write(part, output.fsPath), false);
      }
    }),
    registerCommand(services, 'scopelight.openInPerfetto', async (argument) => {
      const part = partOf(argument);
      const profile = part.path ?? shown.current?.path ?? '';
      const folder = folders.get(profile) ?? (await mkdtemp(path.join(os.tmpdir(), 'scopelight-')));
      folders.set(profile, folder);
      tell(await write(part, path.join(folder, nameOf(part))), true);
    }),
  );
}

/** Says where a file is and what it does not hold, and offers what to do with it. Nobody waits for the answer. */
function tell(exported: ExportedTimeline, forPerfetto: boolean): void {
  const perfetto = {
    label: vscode.l10n.t('Open Perfetto'),
    press: () => vscode.env.openExternal(vscode.Uri.parse(PERFETTO)),
  };
  void offer(vscode.window.showInformationMessage, exportSentence(exported, forPerfetto), [
    ...(forPerfetto ? [perfetto] : []),
    ...fileButtons(exported.path),
  ]);
}

export function exportSentence({ path: file, events, findings }: ExportedTimeline, forPerfetto: boolean): string {
  const parts = [
    events === 1
      ? vscode.l10n.t('1 event was written to {0}.', file)
      : vscode.l10n.t('{0} events were written to {1}.', events.toLocaleString(vscode.env.language), file),
  ];
  if (findings.length > 0) {
    parts.push(vscode.l10n.t('Left out: {0}.', findings.map(({ text }) => text).join(', ')));
  }
  if (forPerfetto) {
    parts.push(vscode.l10n.t('In Perfetto choose “Open trace file” and this file.'));
  }
  return parts.join(' ');
}

function isPart(argument: unknown): argument is TimelineExport {
  return typeof argument === 'object' && argument !== null && 'tracks' in argument && 'start_ps' in argument;
}
