// A real VS Code to measure in.

import path from 'node:path';
import { developmentDaemon } from '../e2e/development.js';
import { launchBrowser, openWorkbench } from '../e2e/driver/browser.js';
import { startServer } from '../e2e/driver/server.js';
import { Workbench } from '../e2e/driver/workbench.js';
import { installEditor, packageExtension } from '../e2e/packaged.js';

/** What `act` measures in the editor with the packaged extension, which has `project` open; `folder` takes its files. */
export async function inEditor<Figures>(
  folder: string,
  project: string,
  act: (workbench: Workbench) => Promise<Figures>,
): Promise<Figures> {
  const { installation, extensionsFolder } = packageExtension(installEditor(), folder);
  const browser = await launchBrowser(installation.chrome);
  const server = await startServer({
    installation,
    settings: developmentDaemon,
    dataFolder: path.join(folder, 'data'),
    extensionsFolder,
  });
  try {
    return await act(new Workbench((await openWorkbench(browser, server, project)).page));
  } finally {
    await browser.close();
    await server.stop();
  }
}
