import * as vscode from 'vscode';

/** Rejects once `token` is cancelled: for races with what need not be waited for then. */
export function cancellationOf(token: vscode.CancellationToken): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = (): void => reject(new vscode.CancellationError());
    if (token.isCancellationRequested) {
      cancel();
    } else {
      token.onCancellationRequested(cancel);
    }
  });
}
