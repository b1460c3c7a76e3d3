// All that is known of a run: in its tooltip, and in rows below it.

import { quote } from 'shlex';
import * as vscode from 'vscode';
import { byteSize } from '../../webview/shared/text/format';
import { describeError } from '../capture/scriptError';
import type { RunRecord } from '../protocol';
import { devicesText, runTitle } from './runText';

/** What is known of a run, and how it is called. */
export interface RunFact {
  readonly name: string;
  readonly value: string;
}

/** What is known of a run, but for its arguments. */
export function runFacts(run: RunRecord, language: string): RunFact[] {
  const created = run.created === null ? null : new Date(run.created).toLocaleString(language);
  const facts: readonly (readonly [string, string | null])[] = [
    [
      vscode.l10n.t('Cancelled'),
      run.was_cancelled ? vscode.l10n.t('yes: not all that it compiles was compiled') : null,
    ],
    [vscode.l10n.t('Exit code'), run.exit_code === null ? null : String(run.exit_code)],
    [vscode.l10n.t('Error'), run.error === null ? null : describeError(run.error)],
    [vscode.l10n.t('Captured'), created],
    [vscode.l10n.t('Steps'), run.steps === null ? null : String(run.steps)],
    [vscode.l10n.t('Devices'), devicesText(run)],
    [vscode.l10n.t('Started in'), run.cwd],
    [vscode.l10n.t('Size'), byteSize(run.size_bytes)],
    [vscode.l10n.t('Pinned'), run.pinned ? vscode.l10n.t('yes: never deleted by itself') : null],
    [vscode.l10n.t('Folder'), run.path],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

/** A run's arguments as one types them, each option with its values: `--batch 64`, `data.npz`. */
export function argumentsByOption(args: readonly string[]): RunFact[] {
  const found: { name: string; value: string }[] = [];
  for (const argument of args) {
    const last = found.at(-1);
    if (argument.startsWith('-') && !/^-\d/u.test(argument)) {
      const [name = argument, ...rest] = argument.split('=');
      found.push({ name, value: rest.length === 0 ? '' : quote(rest.join('=')) });
    } else if (last?.name.startsWith('-') === true && last.value === '') {
      last.value = quote(argument);
    } else {
      found.push({ name: quote(argument), value: '' });
    }
  }
  return found;
}

/** All facts of a run, as Markdown. */
export function runTooltip(run: RunRecord, name: string, language: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(runTitle(run, name)).appendMarkdown('**\n\n');
  const why = run.problem ?? run.failure;
  if (why !== null) {
    text.appendText(why).appendMarkdown('\n\n');
  }
  for (const { name, value } of runFacts(run, language)) {
    text.appendMarkdown('- ').appendText(`${name}: ${value}`).appendMarkdown('\n');
  }
  return text;
}
