import type * as vscode from 'vscode';

/** The version of the extension, by which an editor knows that a server is another than before. */
export function version(context: vscode.ExtensionContext): string {
  return (context.extension.packageJSON as { readonly version: string }).version;
}
