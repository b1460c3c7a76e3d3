// The server for agents, offered to the editor where it takes such offers: from VS Code 1.101 on.

import * as vscode from 'vscode';
import type { Services } from '../services';
import { version } from './version';

const PROVIDER = 'scopelight.mcp';

/** The first version of VS Code that takes offers: 1.100 has a function of the same name, a proposal, which throws. */
const FIRST_MINOR = 101;

/** `vscode.McpStdioServerDefinition`, of which the types of 1.100 know nothing. */
interface StdioDefinition {
  command: string;
  args: string[];
}

interface DefinitionProvider {
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): StdioDefinition[];
  resolveMcpServerDefinition(definition: StdioDefinition): Promise<StdioDefinition>;
}

/** The editor's interface with what 1.101 adds to it. */
export interface WithMcp {
  readonly version: string;
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string | number | null>,
    version: string,
  ) => StdioDefinition;
  readonly lm: {
    readonly registerMcpServerDefinitionProvider?: (id: string, provider: DefinitionProvider) => vscode.Disposable;
  };
}

/** Offers the server, which is started in the daemon's environment only when an agent wants it. */
export function registerMcpServer(
  { context, daemon }: Services,
  editor = vscode as unknown as WithMcp,
): vscode.Disposable {
  if (!takesOffers(editor.version)) return new vscode.Disposable(() => undefined);
  const { McpStdioServerDefinition: Definition, lm } = editor;
  if (Definition === undefined || lm.registerMcpServerDefinitionProvider === undefined) {
    return new vscode.Disposable(() => undefined);
  }
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      // It is asked often and early: which interpreter it is takes time, and may be asked of the person.
      provideMcpServerDefinitions: () => {
        const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
        if (folders.length === 0 || !vscode.workspace.isTrusted) return [];
        const roots = folders.flatMap(({ uri }) => ['--root', uri.fsPath]);
        const args = ['-P', '-m', 'scopelight.cli.main', 'mcp', ...roots];
        return [new Definition('Scopelight', 'python', args, {}, version(context))];
      },
      resolveMcpServerDefinition: async (definition) => {
        definition.command = await daemon.python();
        return definition;
      },
    }),
  );
}

function takesOffers(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= FIRST_MINOR);
}
