import { beforeEach, expect, test, vi } from 'vitest';
import { Comparisons, COMPARISON_SCHEME } from '../../../extension/src/preflight/comparisons';
import { registerComparePredictions } from '../../../extension/src/preflight/comparePredictions';
import { fake, resetFake, silentLog, type Uri, window } from '../vscode';
import { aRun } from '../features/aRun';
import { FakeDaemon } from '../features/fakeDaemon';

const OLD = aRun({ path: '/r/old', created: '2026-01-01T00:00:00Z', predicted_for: 'v5e-8', device_kind: 'TPU v5e' });
const NEW = aRun({ path: '/r/new', created: '2026-01-02T00:00:00Z', predicted_for: 'v6e-8' });
const MEASURED = aRun({ path: '/r/measured', created: '2026-01-01T12:00:00Z', device_kind: 'TPU v5e' });
const ON_CPU = aRun({ path: '/r/cpu', device_kind: 'CPU', backend: 'cpu' });
const FAILED = aRun({ path: '/r/failed', predicted_for: 'v5e-8', state: 'failed' });
const open = vi.fn(() => Promise.resolve());

beforeEach(() => {
  resetFake();
  open.mockClear();
  window.showQuickPick.mockReset();
  register();
});

function register(predictedBy: string | null = null): void {
  const list = { refresh: () => Promise.resolve([NEW, MEASURED, OLD, ON_CPU, FAILED]) };
  const shown = { current: { path: OLD.path, predicted_by: predictedBy } };
  registerComparePredictions({ log: silentLog() } as never, { list, shown } as never, { open });
}

const compare = (...given: unknown[]) => fake.commands.get('scopelight.comparePredictions')?.(...given);
const leaf = (run: unknown) => ({ kind: 'run', run, name: 'train.py' });

test('runs that are selected stand in the order in which they were made, what was measured last', async () => {
  await compare(leaf(NEW), [leaf(NEW), leaf(MEASURED), { kind: 'fact' }, leaf(OLD)]);
  expect(open).toHaveBeenCalledExactlyOnceWith([OLD.path, NEW.path, MEASURED.path]);
  expect(window.showQuickPick).not.toHaveBeenCalled();
});

test('the shown run stands beside what was predicted of it, where it was', async () => {
  const beside = () => fake.commands.get('scopelight.besidePrediction')?.();
  await beside();
  expect(open).not.toHaveBeenCalled();
  register('/r/predicted');
  await beside();
  expect(open).toHaveBeenCalledExactlyOnceWith(['/r/predicted', OLD.path]);
});

test('a message names the runs by their paths', async () => {
  await compare(['/r/new', '/r/measured']);
  expect(open).toHaveBeenCalledExactlyOnceWith(['/r/new', '/r/measured']);
});

test.each([
  ['of the palette the shown run', undefined, OLD.path],
  ['of one run that run', leaf(MEASURED), MEASURED.path],
])('else those are offered that can be compared, ticked %s', async (_, given, ticked) => {
  let offered: readonly { readonly path: string; readonly picked: boolean }[] = [];
  window.showQuickPick.mockImplementationOnce((items: typeof offered) => {
    offered = items;
    return Promise.resolve(items);
  });
  await compare(given);
  expect(offered.map(({ path }) => path)).toEqual([NEW.path, MEASURED.path, OLD.path]);
  expect(offered.filter(({ picked }) => picked).map(({ path }) => path)).toEqual([ticked]);
  expect(open).toHaveBeenCalledExactlyOnceWith([OLD.path, NEW.path, MEASURED.path]);
});

test('to leave the list opens nothing', async () => {
  window.showQuickPick.mockResolvedValueOnce(undefined);
  await compare();
  expect(open).not.toHaveBeenCalled();
});

test('a comparison is rendered under its title, and is made of its runs whenever it is asked for', async () => {
  const daemon = new FakeDaemon();
  const comparisons = new Comparisons({ daemon: daemon.connection, log: silentLog() } as never);
  const changed = vi.fn();
  comparisons.onDidChange(changed);
  const opening = comparisons.open(['/r/new', '/r/old']);
  const asked = await daemon.request(0);
  expect(asked).toMatchObject({ method: 'scopelight/compareTargets', params: { paths: ['/r/new', '/r/old'] } });
  asked.answer({ title: 'a/step.py: v5e-8, v6e-8', text: '' });
  await opening;
  const shownUri = fake.executed.find(({ command }) => command === 'markdown.showPreview')?.args[0] as Uri;
  expect(shownUri.scheme).toBe(COMPARISON_SCHEME);
  expect(shownUri.path.lastIndexOf('/')).toBe(0);
  expect(shownUri.path).toContain('step.py: v5e-8, v6e-8');
  expect(changed).toHaveBeenCalledOnce();
  const text = comparisons.provideTextDocumentContent(shownUri as never);
  const again = await daemon.request(1);
  expect(again).toMatchObject({ params: { paths: ['/r/new', '/r/old'] }, isQuiet: true });
  again.answer({ title: '', text: '# step.py' });
  expect(await text).toBe('# step.py');
  const failing = comparisons.provideTextDocumentContent(shownUri as never);
  (await daemon.request(2)).refuse(new Error('stopped'));
  expect(await failing).toMatch(/could not be compared/u);
});
