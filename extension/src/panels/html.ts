// The document of a panel's page.

import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';
import type { PanelPlace } from './messages';
import type { PanelId } from './registry';

/** What the document needs of `vscode.Webview`. */
export type PageSource = Pick<vscode.Webview, 'cspSource' | 'asWebviewUri'>;

export interface PageDocument {
  readonly panel: PanelId | 'monitor';
  readonly place: PanelPlace;
  readonly title: string;
  /** The profile that the page is of; null is the run that is shown. */
  readonly path: string | null;
  /** The language of the user interface, and its texts where they are translated. */
  readonly language: string;
  readonly texts: unknown;
  /** Addresses of the page's files; see `pageFile`. */
  readonly file: (name: string) => vscode.Uri;
}

/**
 * A document that loads nothing but its own bundle. Scripts need the nonce; styles and the icon font come from the
 * extension's folder alone, and components style themselves by constructed style sheets. Workers are of scripts that the
 * bundle holds as texts.
 */
export function pageHtml(source: PageSource, page: PageDocument): string {
  const nonce = randomBytes(16).toString('base64');
  const address = (name: string): string => escapeAttribute(source.asWebviewUri(page.file(name)).toString());
  const policy = [
    `default-src 'none'`,
    `style-src ${source.cspSource}`,
    `font-src ${source.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    'worker-src blob:',
  ].join('; ');
  const path = page.path === null ? '' : ` data-path="${escapeAttribute(page.path)}"`;
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeAttribute(page.title)}</title>
<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${address('codicon.css')}">
<link rel="stylesheet" href="${address(`${page.panel}.css`)}">
</head>
<body data-place="${page.place}" data-vscode-context='{"preventDefaultContextMenuItems": true}'>
<div id="page" data-panel="${escapeAttribute(page.panel)}"${path} data-texts="${escapeAttribute(JSON.stringify(page.texts ?? {}))}"></div>
<script nonce="${nonce}" src="${address(`${page.panel}.js`)}"></script>
</body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
