// The daemon's tools as those of the editor's language models: it answers, and what it says can be shown to the person.

import * as vscode from 'vscode';
import { DaemonError } from '../daemon/connection';
import { traceOf } from '../log';
import { openCommand, panelOf } from '../panels/panelList';
import type { ToolAnswer } from '../protocol';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { type ListedTool, tools } from './toolList';

type Input = Readonly<Record<string, unknown>>;

/** Registers every tool that the manifest has. */
export function registerLanguageModelTools(
  services: Services,
  shown: Pick<ShownRun, 'current' | 'open'>,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(tools).map(([name, tool]) =>
      vscode.lm.registerTool<Input>(name, {
        prepareInvocation: ({ input }) => prepared(tool, input),
        invoke: ({ input }, token) => invoked(services, shown, tool, input, token),
      }),
    ),
  );
}

/** What the editor says while a tool runs; the person is asked before one starts a script. */
function prepared(tool: ListedTool, input: Input): vscode.PreparedToolInvocation {
  if (!tool.runsScript) return { invocationMessage: vscode.l10n.t('Reading a Scopelight run') };
  const script = typeof input.script === 'string' ? input.script : '?';
  const args = Array.isArray(input.args) ? input.args.map(String) : [];
  const message = new vscode.MarkdownString(
    vscode.l10n.t('A language model wants to run this script, with all that it does:'),
  );
  message.appendCodeblock([script, ...args].join(' '), 'text');
  return {
    invocationMessage: vscode.l10n.t('Running a script under Scopelight'),
    confirmationMessages: { title: vscode.l10n.t('Run the script under Scopelight?'), message },
  };
}

async function invoked(
  services: Services,
  shown: Pick<ShownRun, 'current' | 'open'>,
  tool: ListedTool,
  input: Input,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { show, ...given } = input;
  // The person has agreed before the editor calls it, and a workspace that is not trusted runs nothing.
  if (tool.runsScript && !vscode.workspace.isTrusted) {
    return said(vscode.l10n.t('Scripts run in trusted workspaces only: the person has to trust this one first.'));
  }
  const params = { name: tool.tool, arguments: JSON.stringify(given), agreed: tool.runsScript };
  try {
    const answer = await services.daemon.request('scopelight/callTool', params, { token, isQuiet: true });
    if (show === true || (tool.runsScript && answer.run !== null)) await showToPerson(services, shown, answer);
    return said(answer.text);
  } catch (error) {
    if (error instanceof DaemonError) return said(error.message);
    throw error;
  }
}

function said(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** Shows the run, then the line or else the panel; the model has its answer, whatever becomes of this. */
async function showToPerson(
  { log }: Services,
  shown: Pick<ShownRun, 'current' | 'open'>,
  { run, view, file, line }: ToolAnswer,
): Promise<void> {
  try {
    if (run !== null && shown.current?.path !== run) await shown.open(run, { isQuiet: true });
    if (file !== null && line !== null) {
      await vscode.commands.executeCommand('scopelight.goToLine', file, line);
      return;
    }
    const panel = panelOf(view);
    if (panel !== undefined) await vscode.commands.executeCommand(openCommand(panel));
  } catch (error) {
    log.warn(traceOf(error));
  }
}
