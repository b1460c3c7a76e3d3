import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { LONGEST_MS } from './processes.js';
import type { Server } from './server.js';

const quiet = [
  '--no-sandbox', // Tests may run as root, where Chromium has none.
  '--disable-quic',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--force-color-profile=srgb',
  '--lang=en-US',
];

// Pages draw no WebGL, and without a graphics card the emulation of one costs half a processor.
const software = ['--disable-gpu', '--disable-software-rasterizer'];

/** Starts the browser, without a window unless `visible`, with more arguments. */
export async function launchBrowser(
  executablePath: string,
  visible = false,
  more: readonly string[] = [],
): Promise<Browser> {
  const args = [...quiet, ...(visible ? [] : software), ...more];
  return chromium.launch({ executablePath, headless: !visible, args });
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const wide: Size = { width: 1400, height: 900 };
export const small: Size = { width: 900, height: 600 };

/** The address of the workbench on a folder or a `.code-workspace` file. */
export function workbenchAddress(server: Server, workspace: string): string {
  const address = new URL(server.url);
  address.searchParams.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', workspace);
  return address.href;
}

/** What turns while something is worked on is drawn without end, which without a graphics card costs half a processor. */
const STILL = '*, ::before, ::after { animation: none !important }';

/** A page of its own (storage, clipboard) that shows the workbench; ready when its status bar is there. */
export async function openWorkbench(
  browser: Browser,
  server: Server,
  workspace: string,
  viewport: Size = wide,
): Promise<{ context: BrowserContext; page: Page }> {
  // Without motion a picture shows what was drawn, and not what is fading in.
  const context = await browser.newContext({ viewport, locale: 'en-US', colorScheme: 'dark', reducedMotion: 'reduce' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
  context.setDefaultTimeout(LONGEST_MS);
  const page = await context.newPage();
  await page.goto(workbenchAddress(server, workspace));
  await page.addStyleTag({ content: STILL });
  await page.locator('.monaco-workbench .part.statusbar').waitFor();
  return { context, page };
}
