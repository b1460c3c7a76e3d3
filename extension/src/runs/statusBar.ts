import * as vscode from 'vscode';
import { type Captures, headingOf } from '../capture/captures';
import { openCommand } from '../panels/panelList';
import { panels } from '../panels/registry';
import type { OpenedRun } from '../protocol';
import { affects, scopeSetting } from '../settings';
import { scopeInLine } from './scopeWords';
import type { ShownRun } from './shownRun';

/** Left of what language extensions show. */
const PRIORITY = 50;

/** Findings of a run that has no steps: it is looked at as a whole, whatever is chosen. */
const WITHOUT_STEPS: readonly string[] = [
  'no-steps',
  'no-steps-predicted',
  'no-steps-predicted-in-part',
  'no-program-runs',
];

/** The status bar item: the step time and how busy the device was, and whether a capture is at work. */
export function registerStatusBar(shown: ShownRun, captures: Captures): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('scopelight.run', vscode.StatusBarAlignment.Left, PRIORITY);
  item.name = vscode.l10n.t('Scopelight Run');
  const update = (): void => {
    const run = shown.current;
    const latest = captures.active.at(-1);
    const capturing = latest && headingOf(latest);
    if (run === null && capturing === undefined) {
      item.hide();
      return;
    }
    const text = run === null ? (capturing ?? '') : textOf(run);
    item.text = `$(${capturing === undefined ? 'flame' : 'loading~spin'}) ${text}`;
    item.tooltip = statusTooltip(run, capturing);
    item.accessibilityInformation = { label: [text, run?.headline].filter(Boolean).join(', ') };
    item.command = run === null ? 'workbench.view.extension.scopelight' : openCommand('hotLines');
    item.show();
  };
  update();
  return vscode.Disposable.from(
    item,
    shown.onDidChange(update),
    captures.onDidChange(update),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (affects(change, 'scope')) update();
    }),
  );
}

/** The run in short, and what of it is looked at where that is not what one expects. */
function textOf(run: OpenedRun): string {
  const scope = scopeSetting();
  const isWhole = run.findings.some(({ code }) => WITHOUT_STEPS.includes(code));
  return scope === 'steps' || isWhole ? run.short : `${run.short} · ${scopeInLine(scope)}`;
}

/** What the item says when it is pointed at; `capturing` is what is done to a script meanwhile. */
export function statusTooltip(run: OpenedRun | null, capturing: string | undefined): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const links: readonly (readonly [string, string])[] = [
    [panels.hotLines.title(), openCommand('hotLines')],
    [panels.opProfile.title(), openCommand('opProfile')],
    [vscode.l10n.t('Select Run'), 'scopelight.selectRun'],
    [vscode.l10n.t('What Is Looked At'), 'scopelight.selectScope'],
    [vscode.l10n.t('Annotation Mode'), 'scopelight.selectAnnotationMode'],
  ];
  text.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  if (capturing !== undefined) {
    text.appendText(capturing).appendMarkdown('\n\n');
  }
  if (run === null) {
    return text;
  }
  text.appendMarkdown('**').appendText(run.title).appendMarkdown('**\n\n').appendText(run.headline);
  for (const { severity, text: said, remedy } of run.findings) {
    if (severity !== 'note') {
      text.appendMarkdown('\n\n').appendText(`${said} ${remedy}`.trimEnd());
    }
  }
  const list = links.map(([title, command]) => `[${title}](command:${command})`).join(' · ');
  return text.appendMarkdown(`\n\n${list}`);
}
