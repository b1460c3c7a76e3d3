import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { developmentPython, root } from '../development.js';
import { useEditor } from '../editor.js';

const PICTURES = path.join(root, 'test-results/remote logs');
const ADDRESS = 's3://logs/deep/first';

/** A port that nothing listens at. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const port = await freePort();
const cache = mkdtempSync(path.join(tmpdir(), 'scopelight-cache-'));
const credentials = {
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_DEFAULT_REGION: 'us-east-1',
};

const editor = useEditor({ environment: { ...credentials, XDG_CACHE_HOME: cache } });

let server: ChildProcess | undefined;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  const { captured } = inject('prepared');
  const running = spawn(
    developmentPython,
    [path.join(root, 'tests/e2e/jobs/s3Server.py'), String(port), captured, ADDRESS],
    {
      env: { ...process.env, ...credentials },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  server = running;
  await new Promise<void>((resolve) => running.stdout.on('data', () => resolve()));
});

afterAll(() => {
  server?.kill('SIGKILL');
});

/** What was downloaded: names, and when. */
function downloads(): string[] {
  return readdirSync(cache, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes(`${path.sep}log${path.sep}`))
    .map((name) => path.join(cache, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => `${file} ${statSync(file).mtimeMs}`)
    .sort();
}

test('lists a log directory on a server of S3’s kind, and opens it', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Focus on Runs View');
  // What is typed is looked at before it is taken: another command would come in between.
  await workbench.run('Scopelight: Add Remote Log Directory…');
  await workbench.quickInput.answer(/address of a log directory/, 's3://logs');
  const rows = workbench.rows('Runs');
  await rows.filter({ hasText: 's3://logs' }).click();
  const listed = rows.filter({ hasText: '1 session' });
  await listed.waitFor();
  expect(downloads()).toEqual([]);
  await listed.click();
  await workbench.statusItem(/ms\/step|window/).waitFor();
  await rows.filter({ hasText: 'shown' }).first().waitFor();
  expect(downloads().some((each) => each.includes('.xplane.pb'))).toBe(true);
  await workbench.page.screenshot({ path: path.join(PICTURES, 'opened.png') });
});

test('downloads nothing when it is opened by its address again', async () => {
  const { workbench } = editor();
  const before = downloads();
  await workbench.run('Scopelight: Clear');
  await workbench.statusItem(/ms\/step|window/).waitFor({ state: 'detached' });
  await workbench.run('Scopelight: Open Profile at Address…');
  await workbench.quickInput.answer(/address of a log directory/, ADDRESS);
  await workbench.statusItem(/ms\/step|window/).waitFor();
  expect(downloads()).toEqual(before);
  await workbench.rows('Runs').filter({ hasText: 'first' }).filter({ hasText: 'opened' }).waitFor();
  await workbench.page.screenshot({ path: path.join(PICTURES, 'opened again.png') });
});

test('says in a sentence that there is no such bucket', async () => {
  const { workbench } = editor();
  await workbench.run('Scopelight: Open Profile at Address…');
  await workbench.quickInput.answer(/address of a log directory/, 's3://absent/logs');
  await workbench.notifications.saying(/s3:\/\/absent\/logs .*no such bucket, folder or file/);
});
