// Runs side by side, as documents that are shown as rendered Markdown.

import * as vscode from 'vscode';
import type { Services } from '../services';
import { withNotificationUnlessSoon } from '../userMessages';

/** Of documents that are comparisons. */
export const COMPARISON_SCHEME = 'scopelight-comparison';

/** The document of a comparison: it is titled as what is compared, and its query says of which runs it is. */
function comparisonUri(title: string, paths: readonly string[]): vscode.Uri {
  // A slash would be taken for a folder.
  const titled = title.replaceAll('/', '\u2215');
  return vscode.Uri.from({ scheme: COMPARISON_SCHEME, path: `/${titled}`, query: JSON.stringify(paths) });
}

/** The runs that a document compares; none where it says of none. */
function comparedPaths(uri: vscode.Uri): readonly string[] {
  try {
    const paths: unknown = JSON.parse(uri.query);
    return Array.isArray(paths) ? paths.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

/** Makes the documents, and opens them. One that is restored with the window is made anew. */
export class Comparisons implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly parts: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor(private readonly services: Pick<Services, 'daemon' | 'log'>) {
    this.parts = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(COMPARISON_SCHEME, this),
    );
  }

  /** Compares runs, by their paths in the order of their columns, and shows it. Rejects as a request does. */
  async open(paths: readonly string[]): Promise<void> {
    const { title } = await withNotificationUnlessSoon(vscode.l10n.t('Comparing predictions'), (_, token) =>
      this.services.daemon.request('scopelight/compareTargets', { paths }, { token }),
    );
    const uri = comparisonUri(title, paths);
    this.changed.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    try {
      const paths = comparedPaths(uri);
      return (await this.services.daemon.request('scopelight/compareTargets', { paths }, { isQuiet: true })).text;
    } catch (error) {
      this.services.log.warn(`${uri.path} could not be made: ${String(error)}`);
      return vscode.l10n.t('The runs could not be compared: choose them in the Runs view.');
    }
  }

  dispose(): void {
    this.parts.dispose();
  }
}
