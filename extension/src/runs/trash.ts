import * as vscode from 'vscode';

/** Moves folders to the trash; answers those that could not be moved, as where a machine has no trash. */
export async function moveToTrash(paths: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const path of paths) {
    await remove(path, true).catch(() => left.push(path));
  }
  return left;
}

/** Deletes folders for ever. */
export async function deleteForEver(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await remove(path, false);
  }
}

async function remove(path: string, useTrash: boolean): Promise<void> {
  await vscode.workspace.fs.delete(vscode.Uri.file(path), { recursive: true, useTrash });
}
