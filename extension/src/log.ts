import * as vscode from 'vscode';

/** The one log of the extension and of its daemon, in the Output view. Its level is the user's to set there. */
export function createLog(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel('Scopelight', { log: true });
}

/** What an error says to a person, whatever was thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What an error says to who looks for its cause. */
export function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
