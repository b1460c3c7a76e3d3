import path from 'node:path';
import * as vscode from 'vscode';

/** What a line of pip's output tells of the progress of an installation, or undefined where it tells nothing. */
export function pipProgress(line: string): string | undefined {
  const downloading = /^\s*(?:Downloading|Using cached) (\S+?\.whl)(?:\.metadata)?(?: \(([\d.]+ [kMG]?B)\))?/.exec(
    line,
  );
  if (downloading?.[1] !== undefined && !line.includes('.whl.metadata')) {
    const [name = ''] = path.posix.basename(downloading[1]).split('-');
    return downloading[2] === undefined
      ? vscode.l10n.t('downloading {0}', name)
      : vscode.l10n.t('downloading {0} ({1})', name, downloading[2]);
  }
  const collecting = /^(?:Collecting |Processing (?:.*[\\/])?)([A-Za-z0-9_.]+)/.exec(line);
  if (collecting?.[1] !== undefined) return vscode.l10n.t('looking for {0}', collecting[1]);
  if (line.startsWith('Installing collected packages')) return vscode.l10n.t('unpacking');
  return undefined;
}
