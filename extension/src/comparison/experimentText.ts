// What experiments are called: scripts of which rounds were made before and after a change.

import path from 'node:path';
import { join } from 'shlex';
import * as vscode from 'vscode';
import type { ExperimentSide, ListedExperiment } from '../protocol';
import { relativeTime } from '../runs/runText';

const SHORT = 8;

/** `train.py --batch 8 against 3f2a1b0c`. */
export function experimentTitle({ script, args, path: folder, before }: ListedExperiment): string {
  const name = [path.basename(script ?? folder), ...(args.length === 0 ? [] : [join([...args])])].join(' ');
  const commit = commitOf(before);
  return commit === null ? name : vscode.l10n.t('{0} against {1}', name, commit);
}

/** `5 rounds · 3 min. ago · 77aa1b0c*`. */
export function experimentDescription(experiment: ListedExperiment, now: Date): string {
  const { rounds, created, after, problem, state } = experiment;
  const facts = [
    problem === null ? null : vscode.l10n.t('cannot be read'),
    state === 'running' ? vscode.l10n.t('running') : null,
    rounds === 1 ? vscode.l10n.t('1 round') : vscode.l10n.t('{0} rounds', rounds),
    created === null ? null : relativeTime(new Date(created), now, vscode.env.language),
    commitOf(after),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}

/** Whether there are rounds of both sides to compare. */
export function canBeCompared({ rounds, problem }: ListedExperiment): boolean {
  return rounds > 0 && problem === null;
}

function commitOf({ commit, dirty }: ExperimentSide): string | null {
  return commit === '' ? null : `${commit.slice(0, SHORT)}${dirty ? '*' : ''}`;
}
