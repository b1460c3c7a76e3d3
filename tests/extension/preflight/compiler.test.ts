import { beforeEach, expect, test, vi } from 'vitest';
import { Captures } from '../../../extension/src/capture/captures';
import { registerRemoveCompiler } from '../../../extension/src/preflight/compiler';
import { FakeDaemon } from '../features/fakeDaemon';
import { fake, resetFake, silentLog } from '../vscode';

const STATE = {
  is_there: true,
  folder: '/cache',
  download_bytes: 300e6,
  disk_bytes: 1.2e9,
  problem: null,
  offered: [],
};

let daemon: FakeDaemon;
let captures: Captures;

beforeEach(() => {
  resetFake();
  daemon = new FakeDaemon();
  captures = new Captures();
  registerRemoveCompiler({ daemon: daemon.connection, log: silentLog() } as never, captures);
});

const remove = () => fake.commands.get('scopelight.removeCompiler')?.();

test('the compiler is removed once it was said what that frees and costs, and agreed to', async () => {
  void remove();
  (await daemon.request(0)).answer(STATE);
  await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
  expect(fake.messages[0]).toMatchObject({ buttons: ['Remove'], options: { modal: true } });
  expect(JSON.stringify(fake.messages[0]?.options)).toMatch(/1\.20 GB in \/cache .* 300 MB are downloaded again/u);
  expect(daemon.asked).toHaveLength(1);
  fake.messages[0]?.press('Remove');
  const asked = await daemon.request(1);
  expect(asked.method).toBe('scopelight/removeCompiler');
  asked.answer({ removed_bytes: 1.1e9 });
  await vi.waitFor(() => expect(fake.messages.at(-1)?.text).toMatch(/was removed: 1\.10 GB/u));
});

test('the compiler stays where that is not agreed to', async () => {
  const removing = remove();
  (await daemon.request(0)).answer(STATE);
  await vi.waitFor(() => expect(fake.messages).toHaveLength(1));
  fake.messages[0]?.press(undefined);
  await removing;
  expect(daemon.asked).toHaveLength(1);
});

test('the compiler stays while something is compiled, and not while something is profiled', async () => {
  void captures.during({ key: 'a', title: 'train.py' }, () => new Promise(() => undefined));
  void remove();
  (await daemon.request(0)).answer({ ...STATE, is_there: false });
  (await daemon.request(1)).answer({ removed_bytes: 0 });
  await vi.waitFor(() => expect(fake.messages.at(-1)?.text).toMatch(/is not on this machine/u));
  const compiled = { key: 'b', title: 'train.py for v5e-8', isPreflight: true };
  void captures.during(compiled, () => new Promise(() => undefined));
  void remove();
  await vi.waitFor(() => expect(fake.messages.at(-1)?.text).toMatch(/^train\.py for v5e-8 is being compiled: /u));
  expect(daemon.asked).toHaveLength(2);
});
