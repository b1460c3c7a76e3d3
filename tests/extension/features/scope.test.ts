import { beforeEach, expect, test, vi } from 'vitest';
import { EventEmitter, window, workspace } from 'vscode';
import type { Captures } from '../../../extension/src/capture/captures';
import type { Scope } from '../../../extension/src/protocol';
import { registerScope } from '../../../extension/src/runs/chooseScope';
import type { ShownRun } from '../../../extension/src/runs/shownRun';
import { registerStatusBar } from '../../../extension/src/runs/statusBar';
import { affects, DAEMON_SETTINGS } from '../../../extension/src/settings';
import { changeSetting, fake, resetFake, silentLog } from '../vscode';
import { opened } from './fakeDaemon';

beforeEach(resetFake);

interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly scope: Scope;
}

async function choose(label: string): Promise<Choice[]> {
  let offered: Choice[] = [];
  vi.mocked(window.showQuickPick).mockImplementationOnce((items) => {
    offered = items as unknown as Choice[];
    return Promise.resolve(offered.find((each) => each.label === label) as never);
  });
  await fake.commands.get('scopelight.selectScope')?.();
  return offered;
}

test.each([
  ['Complete steps', 'steps'],
  ['Whole window', 'window'],
  ['Outside of steps', 'outside'],
])('%s is chosen from a list, which names what is looked at now', async (label, scope) => {
  registerScope({ log: silentLog() as never });
  changeSetting('scopelight.scope', 'window');
  const offered = await choose(label);
  expect(offered.map((each) => each.label)).toEqual(['Complete steps', 'Whole window', 'Outside of steps']);
  expect(offered.filter(({ description }) => description !== undefined).map((each) => each.label)).toEqual([
    'Whole window',
  ]);
  expect(fake.settings.get('scopelight.scope')).toBe(scope);
});

test('leaving the list changes nothing, and a panel that names one is not asked', async () => {
  registerScope({ log: silentLog() as never });
  await choose('none of them');
  expect(fake.settings.get('scopelight.scope')).toBeUndefined();
  vi.mocked(window.showQuickPick).mockClear();
  await fake.commands.get('scopelight.selectScope')?.('outside');
  expect(fake.settings.get('scopelight.scope')).toBe('outside');
  expect(window.showQuickPick).not.toHaveBeenCalled();
});

test('the daemon is told when it changes', () => {
  const told = vi.fn();
  workspace.onDidChangeConfiguration((change) => {
    if (affects(change, ...DAEMON_SETTINGS)) told();
  });
  changeSetting('scopelight.scope', 'window');
  expect(told).toHaveBeenCalledTimes(1);
});

function statusBar(run = opened('/runs/a', { short: '32.4 ms/step · 61 % busy' })) {
  const item = { show: vi.fn(), hide: vi.fn(), dispose: vi.fn(), text: '', accessibilityInformation: { label: '' } };
  vi.mocked(window.createStatusBarItem).mockReturnValueOnce(item as never);
  const changed = new EventEmitter<unknown>();
  registerStatusBar(
    { current: run, onDidChange: changed.event } as unknown as ShownRun,
    { active: [], onDidChange: changed.event } as unknown as Captures,
  );
  return item;
}

test('the status bar says what is looked at where that is not the complete steps', () => {
  const item = statusBar();
  expect(item.text).toBe('$(flame) 32.4 ms/step · 61 % busy');
  changeSetting('scopelight.scope', 'window');
  expect(item.text).toBe('$(flame) 32.4 ms/step · 61 % busy · whole window');
  changeSetting('scopelight.scope', 'outside');
  expect(item.text).toBe('$(flame) 32.4 ms/step · 61 % busy · outside of steps');
  expect(item.accessibilityInformation.label).toContain('outside of steps');
  changeSetting('scopelight.scope', 'steps');
  expect(item.text).toBe('$(flame) 32.4 ms/step · 61 % busy');
});

test('the status bar names no scope of a run without steps, which is looked at as a whole', () => {
  const none = { code: 'no-steps', severity: 'warning', values: {}, evidence: [], action: null, text: '', remedy: '' };
  const item = statusBar(opened('/runs/a', { short: '1.20 s window · 61 % busy', findings: [none as never] }));
  changeSetting('scopelight.scope', 'outside');
  expect(item.text).toBe('$(flame) 1.20 s window · 61 % busy');
});
