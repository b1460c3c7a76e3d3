/** Opens the extension in a VS Code in the browser, on the examples: `make editor`. Runs until Ctrl-C. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { developmentDaemon, root } from './development.js';
import { workbenchAddress } from './driver/browser.js';
import { startServer } from './driver/server.js';
import { installEditor, packageExtension } from './packaged.js';

function showInBrowser(address: string): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (process.platform !== 'darwin' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return;
  }
  // Where there is no opener, the address that was printed is enough.
  spawn(opener, [address], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

async function main(): Promise<void> {
  const temporaryFolder = mkdtempSync(path.join(tmpdir(), 'scopelight-editor-'));
  process.on('exit', () => rmSync(temporaryFolder, { recursive: true, force: true }));
  const packaged = packageExtension(installEditor(), temporaryFolder);
  const server = await startServer({
    installation: packaged.installation,
    dataFolder: path.join(temporaryFolder, 'data'),
    extensionsFolder: packaged.extensionsFolder,
    settings: developmentDaemon,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.stop().then(() => process.exit()));
  }
  const address = workbenchAddress(server, path.join(root, 'daemon/examples'));
  console.log(`VS Code with Scopelight, on daemon/examples:\n\n    ${address}\n\nCtrl-C ends it.`);
  showInBrowser(address);
}

await main();
