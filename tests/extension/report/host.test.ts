import { beforeEach, expect, test, vi } from 'vitest';
import { type Held, keyOf } from '../../../extension/webview/report/held';
import { ReportHost } from '../../../extension/webview/report/host';
import { RequestFailure } from '../../../extension/webview/shared/page/rpc';
import { opened } from '../features/openedRun';

const line = { kind: 'line', file: '/w/a.py', line: 3 } as const;

function made() {
  const ways = { toPanel: vi.fn(), toLine: vi.fn() };
  const run = opened('/runs/a');
  const held: Held = {
    version: '1',
    texts: {},
    scope: 'steps',
    runs: { steps: run, window: { ...run, headline: 'all of it' } },
    answers: {
      'steps view/op-profile {"by":"line","device":"/device:TPU:0"}': { of: 'device' },
      'steps view/programs {}': { of: 'programs' },
      'steps view/lines {}': { of: 'steps' },
      'window view/lines {}': { of: 'window' },
    },
    timeline: null,
    sources: {},
  };
  const host = new ReportHost(held, ways);
  const { page, leave } = host.page('hotLines');
  page.host.start();
  return { host, page, leave, ways };
}

let all: ReturnType<typeof made>;

beforeEach(() => {
  all = made();
});

test('an answer is found by what is said, in whatever order', () => {
  expect(keyOf('steps', 'view/op-profile', { device: '/device:TPU:0', by: 'line', other: null, more: undefined })).toBe(
    'steps view/op-profile {"by":"line","device":"/device:TPU:0"}',
  );
  expect(keyOf('steps', 'view/flame', { libraries: false, memory_space: 0 })).toBe('steps view/flame {}');
});

test('a page is answered with what is held, and refused what is not with a sentence', async () => {
  const { page } = all;
  expect(await page.host.request('lines', {})).toEqual({ of: 'steps' });
  await expect(page.host.request('flops', {})).rejects.toThrow(RequestFailure);
  await expect(page.host.request('flops', {})).rejects.toThrow(/does not hold that/);
});

test('another scope has its own answers, and those that are of none', async () => {
  const { page } = all;
  page.host.chooseScope('window');
  expect(page.host.facts.value).toMatchObject({ scope: 'window', shownRunGeneration: 1, isReport: true });
  expect(page.host.facts.value?.shownRun?.headline).toBe('all of it');
  expect(await page.host.request('lines', {})).toEqual({ of: 'window' });
  expect(await page.host.request('programs', {})).toEqual({ of: 'programs' });
});

test('what is selected in one page is selected in all, until they are left', () => {
  const { host, page, leave, ways } = all;
  const other = host.page('opStatistics');
  other.page.host.start();
  page.host.select(line);
  expect(other.page.host.facts.value?.selection).toEqual(line);
  other.page.host.showIn('timeline', line);
  expect(ways.toPanel).toHaveBeenCalledWith('timeline');
  expect(page.host.facts.value?.selectionGeneration).toBe(1);
  leave();
  other.page.host.select(null);
  expect(page.host.facts.value?.selection).toEqual(line);
});

test('commands lead to pages, a line to its source; others are not there to be run', () => {
  const { page, ways } = all;
  page.host.run('scopelight.openFlame');
  expect(ways.toPanel).toHaveBeenCalledWith('flame');
  page.host.run('scopelight.profile');
  expect(ways.toPanel).toHaveBeenCalledTimes(1);
  page.host.goToLineOf(line);
  expect(ways.toLine).toHaveBeenCalledWith(expect.objectContaining({ file: '/w/a.py', line: 3 }));
});

test('a page keeps what it was left with', () => {
  const { host, page } = all;
  page.saved.signal('search', '').value = 'dot';
  expect(host.page('hotLines').page.saved.signal('search', '').value).toBe('dot');
});
