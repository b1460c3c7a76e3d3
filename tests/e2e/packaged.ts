import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { root } from './development.js';
import { commonArguments, type Installation } from './driver/server.js';
import { Workspace } from './workspace.js';

declare module 'vitest' {
  interface ProvidedContext {
    readonly prepared: Prepared;
  }
}

/** The extension as it is shipped, installed where a server finds it. */
export interface Packaged {
  readonly installation: Installation;
  readonly extensionsFolder: string;
}

/** What the tests share. */
export interface Prepared {
  readonly packaged: Packaged;
  /** Takes what the tests write; it is removed after the last. */
  readonly temporaryFolder: string;
  /** Where the workspace of each test is. */
  readonly workspaceFolder: string;
  /** A run of the transformer, captured in a workspace there. */
  readonly captured: string;
}

/** Installs the editor where it is not yet, and says where it is. */
export function installEditor(): Installation {
  const said = execFileSync(path.join(root, 'tests/e2e/install_vscode.sh'), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const value = (name: string) => {
    const found = new RegExp(`^${name}=(.*)$`, 'm').exec(said)?.[1];
    if (found === undefined) {
      throw new Error(`install_vscode.sh did not say where ${name} is.`);
    }
    return found;
  };
  return { node: value('NODE'), entry: value('ENTRY'), chrome: value('CHROME') };
}

/** Packages the extension with its wheel, and installs the package as a user would. */
export function packageExtension(installation: Installation, temporaryFolder: string): Packaged {
  const vsix = path.join(temporaryFolder, 'scopelight.vsix');
  run('npm', ['run', '--silent', 'vsix', '--', '--out', vsix], 'The extension could not be packaged.');
  const extensionsFolder = path.join(temporaryFolder, 'extensions');
  mkdirSync(extensionsFolder);
  run(
    installation.node,
    [
      ...commonArguments(installation, path.join(temporaryFolder, 'installing'), extensionsFolder),
      '--install-extension',
      vsix,
    ],
    'The package could not be installed.',
  );
  return { installation, extensionsFolder };
}

function run(program: string, programArguments: readonly string[], failure: string): void {
  try {
    execFileSync(program, programArguments, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${failure}\n${stdout ?? ''}${stderr ?? ''}`);
  }
}

/** Called by vitest before the first test. */
export default async function setup(project: TestProject): Promise<() => void> {
  const temporaryFolder = mkdtempSync(path.join(tmpdir(), 'scopelight-e2e-'));
  const remove = () => rmSync(temporaryFolder, { recursive: true, force: true });
  try {
    const packaged = packageExtension(installEditor(), temporaryFolder);
    // A run remembers where its sources were, so every test has its workspace at this place.
    const workspaceFolder = path.join(temporaryFolder, 'project');
    const captured = path.join(temporaryFolder, '20260102-030405-transformer');
    renameSync(await Workspace.ofExamples(workspaceFolder).profile('first'), captured);
    project.provide('prepared', { packaged, temporaryFolder, workspaceFolder, captured });
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
