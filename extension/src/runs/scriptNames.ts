// What scripts are called: by their files, and where several have one name by the folders that tell them apart.

import path from 'node:path';
import * as vscode from 'vscode';
import type { RunRecord } from '../protocol';

/** The name of a script beside `others`, as tabs of an editor have it: `train.py`, or `jobs/train.py` where needed. */
export function scriptName(script: string, others: readonly string[]): string {
  const parts = partsOf(script);
  const sameName = others
    .filter((other) => other !== script && path.basename(other) === path.basename(script))
    .map(partsOf);
  for (let length = 1; length < parts.length; length++) {
    const name = ending(parts, length);
    if (sameName.every((other) => ending(other, length) !== name)) {
      return name;
    }
  }
  return parts.join('/');
}

/** The path of the script of a run; undefined for a module, and where none is recorded. */
export function scriptOf({ script, is_module: isModule, cwd }: RunRecord): string | undefined {
  return script === null || isModule ? undefined : path.resolve(cwd ?? '/', script);
}

/** The scripts that are known by their runs. */
export function scriptsOf(runs: readonly RunRecord[]): string[] {
  return runs.flatMap((run) => scriptOf(run) ?? []);
}

/** What the script of a run is called, or its module, beside the other `runs`. */
export function runName(run: RunRecord, runs: readonly RunRecord[]): string {
  const script = scriptOf(run);
  return script === undefined ? (run.script ?? path.basename(run.path)) : scriptName(script, scriptsOf(runs));
}

/** The folders and the file of a path, from the workspace folder on; that too where there are several. */
function partsOf(file: string): string[] {
  return vscode.workspace
    .asRelativePath(file)
    .split(/[/\\]/u)
    .filter((part) => part !== '');
}

function ending(parts: readonly string[], length: number): string {
  return parts.slice(-length).join('/');
}
