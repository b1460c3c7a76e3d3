import path from 'node:path';
import * as vscode from 'vscode';
import type { Target } from '../remembered';
import { scriptName } from '../runs/scriptNames';

/**
 * What a target is called on screen: `train.py`, `gpt.train`, or the name of its configuration. A script has the folder
 * before it that tells it from `others`.
 */
export function titleOf(target: Target, others: readonly string[] = []): string {
  switch (target.kind) {
    case 'script':
      return scriptName(target.path, others);
    case 'module':
      return target.module;
    case 'configuration':
      return target.name;
    case 'recorded':
      return target.isModule ? target.script : scriptName(path.resolve(target.cwd, target.script), others);
  }
}

/** The scripts among targets. */
export function scriptsOfTargets(targets: readonly Target[]): string[] {
  return targets.flatMap((each) => (each.kind === 'script' ? [each.path] : []));
}

/** What tells a target from others: the script that it runs, or its configuration. Several may have one title. */
export function keyOf(target: Target): string {
  switch (target.kind) {
    case 'script':
    case 'module':
      return target.path;
    case 'configuration':
      return `${target.folder}#${target.name}`;
    case 'recorded':
      return target.isModule ? `${target.cwd} -m ${target.script}` : path.resolve(target.cwd, target.script);
  }
}

/** The resource whose settings apply to a target. */
export function resourceOf(target: Target): vscode.Uri {
  switch (target.kind) {
    case 'script':
    case 'module':
      return vscode.Uri.file(target.path);
    case 'configuration':
      return vscode.Uri.parse(target.folder);
    case 'recorded':
      return vscode.Uri.file(target.folder);
  }
}
