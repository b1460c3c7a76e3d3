import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as vscode from 'vscode';
import { registerMcpServer, type WithMcp } from '../../../extension/src/agents/mcpServer';
import { FakeDaemon } from '../features/fakeDaemon';
import { resetFake, workspace } from '../vscode';

beforeEach(resetFake);

interface Provider {
  provideMcpServerDefinitions(): { command: string; args: string[] }[];
  resolveMcpServerDefinition(definition: unknown): Promise<{ command: string }>;
}

class Definition {
  constructor(
    readonly label: string,
    public command: string,
    public args: string[],
  ) {}
}

/** Registers the server in an editor of a version; the provider that it made. */
function registered(version: string, isThere = true): Provider | undefined {
  const register = vi.fn(() => new vscode.Disposable(() => undefined));
  const context = { extension: { packageJSON: { version: '1' } } };
  const editor: WithMcp = {
    version,
    lm: isThere ? { registerMcpServerDefinitionProvider: register } : {},
    ...(isThere && { McpStdioServerDefinition: Definition }),
  };
  registerMcpServer({ daemon: new FakeDaemon().connection, context } as never, editor);
  return (register.mock.calls as unknown[][])[0]?.[1] as Provider | undefined;
}

describe('the server for agents', () => {
  test('is not offered to an editor that takes no such offers', () => {
    expect(registered('1.101.0', false)).toBeUndefined();
    // A proposal of that name, which throws.
    expect(registered('1.100.3')).toBeUndefined();
  });

  test("is offered for the workspace's folders, and started with the daemon's interpreter when it is wanted", async () => {
    Object.assign(workspace, { workspaceFolders: [{ uri: vscode.Uri.file('/w') }, { uri: vscode.Uri.file('/v') }] });
    const provider = registered('1.101.0');
    const [definition] = provider?.provideMcpServerDefinitions() ?? [];
    expect(definition?.args).toEqual(['-P', '-m', 'scopelight.cli.main', 'mcp', '--root', '/w', '--root', '/v']);
    expect((await provider?.resolveMcpServerDefinition(definition))?.command).toBe('/daemon/bin/python');
  });

  test('is not offered without a folder, nor in a workspace that is not trusted', () => {
    expect(registered('1.101.0')?.provideMcpServerDefinitions()).toEqual([]);
    Object.assign(workspace, { workspaceFolders: [{ uri: vscode.Uri.file('/w') }] });
    Object.assign(workspace, { isTrusted: false });
    expect(registered('1.101.0')?.provideMcpServerDefinitions()).toEqual([]);
  });
});
