import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { developmentDaemon, root } from './development.js';
import { launchBrowser, openWorkbench } from './driver/browser.js';
import { startServer, type Server } from './driver/server.js';
import { Workbench } from './driver/workbench.js';
import { Workspace } from './workspace.js';

export interface EditorOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly asksForTrust?: boolean;
  /** Whether the workspace holds a run of the transformer. */
  readonly withRun?: boolean;
  /** Puts others beside the packaged extension, into the folder of extensions. */
  readonly addExtensions?: (folder: string) => void;
  /** Prepares the workspace before it is opened; may answer with what to open in place of its folder. */
  readonly prepare?: (workspace: Workspace) => string | undefined | Promise<string | undefined>;
}

/** Where the packaged extension is, with others beside it in a folder of the editor's own. */
function extensionsOf(packaged: string, folder: string, addOthers: EditorOptions['addExtensions']): string {
  if (addOthers === undefined) {
    return packaged;
  }
  const extensions = path.join(folder, 'extensions');
  cpSync(packaged, extensions, { recursive: true });
  addOthers(extensions);
  // The list of what is installed: without it the editor takes all that lies there.
  rmSync(path.join(extensions, 'extensions.json'), { force: true });
  return extensions;
}

/** One real editor for all tests of a file: a server with its own data, a workspace, a window. */
export class Editor {
  private constructor(
    readonly workbench: Workbench,
    readonly workspace: Workspace,
    readonly server: Server,
    readonly browser: Browser,
    readonly context: BrowserContext,
    readonly folder: string,
  ) {}

  static async open(options: EditorOptions): Promise<Editor> {
    const { packaged, temporaryFolder, workspaceFolder, captured } = inject('prepared');
    const folder = mkdtempSync(path.join(temporaryFolder, 'editor-'));
    const workspace = Workspace.ofExamples(workspaceFolder);
    if (options.withRun === true) {
      workspace.addRun(captured);
    }
    const opened = (await options.prepare?.(workspace)) ?? workspace.folder;
    const server = await startServer({
      installation: packaged.installation,
      dataFolder: path.join(folder, 'data'),
      extensionsFolder: extensionsOf(packaged.extensionsFolder, folder, options.addExtensions),
      settings: options.settings ?? developmentDaemon,
      ...(options.environment && { environment: options.environment }),
      ...(options.asksForTrust === true && { asksForTrust: true }),
    });
    const browser = await launchBrowser(packaged.installation.chrome);
    const { context, page } = await openWorkbench(browser, server, opened);
    return new Editor(new Workbench(page), workspace, server, browser, context, folder);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Keeps what is on the screen and in the logs below test-results/, under the name of a test that failed. */
  async keepEvidence(name: string): Promise<void> {
    const results = path.join(root, 'test-results', name.replace(/[^A-Za-z0-9]+/g, '-'));
    mkdirSync(results, { recursive: true });
    await this.workbench.page.screenshot({ path: path.join(results, 'screen.png') });
    const logs = path.join(this.folder, 'data/logs');
    if (existsSync(logs)) {
      cpSync(logs, path.join(results, 'logs'), { recursive: true });
    }
  }
}

/**
 * Opens the editor before the first test of a file, and closes it after the last. Each test goes on where the one
 * before it ended, so those after one that failed, also when it was tried again, are skipped.
 */
export function useEditor(options: EditorOptions = {}): () => Editor {
  let editor: Editor | undefined;
  let failed: string | undefined;
  beforeAll(async () => {
    editor = await Editor.open(options);
  });
  beforeEach((context) => {
    context.skip(failed !== undefined, `“${failed}” failed`);
    context.onTestFailed(async ({ task }) => {
      const isLast = (task.result?.retryCount ?? 0) === task.retry;
      failed = isLast ? task.name : undefined;
      await editor?.keepEvidence(isLast ? task.name : `${task.name}, at first`);
    });
  });
  afterAll(() => editor?.close());
  return () => {
    if (editor === undefined) {
      throw new Error('The editor is open during tests only.');
    }
    return editor;
  };
}
