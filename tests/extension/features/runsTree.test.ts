import { describe, expect, test, vi } from 'vitest';
import * as vscode from 'vscode';
import { argumentsByOption, runTooltip } from '../../../extension/src/runs/runFacts';
import { relativeTime, runDescription, runTitle } from '../../../extension/src/runs/runText';
import { runItem } from '../../../extension/src/runs/runsTree';
import { keepTimesTrue } from '../../../extension/src/runs/runsView';
import { aRun } from './aRun';

const NOW = new Date('2026-01-01T03:00:00Z');

describe('a run in words', () => {
  test('is what is run, with its arguments', () => {
    expect(runTitle(aRun({ args: ['--batch', '64'] }), 'train.py')).toBe('train.py --batch 64');
    expect(runTitle(aRun(), 'jobs.train')).toBe('jobs.train');
  });

  test('has arguments as one types them in a shell', () => {
    const args = ['--name', 'two words', "it's", '', '--data=a b'];
    expect(runTitle(aRun({ args }), 'train.py')).toBe(`train.py --name 'two words' 'it'"'"'s' '' '--data=a b'`);
    expect(runDescription(aRun(), false, NOW, args)).toContain(`--name 'two words' 'it'"'"'s' ''`);
    expect(argumentsByOption(args).map(({ name, value }) => `${name} ${value}`.trimEnd())).toEqual([
      `--name 'two words'`,
      `'it'"'"'s'`,
      `''`,
      `--data 'a b'`,
    ]);
  });

  test('says when, how much and on what, and whether it is shown', () => {
    expect(runDescription(aRun(), false, NOW)).toBe('3 hr. ago · 5 steps · 4 × TPU v6e');
    expect(runDescription(aRun({ exit_code: 1, steps: 0 }), false, NOW)).toBe('exit code 1 · 3 hr. ago · 4 × TPU v6e');
    expect(runDescription(aRun({ steps: 1 }), true, NOW)).toBe('shown · 3 hr. ago · 1 step · 4 × TPU v6e');
    const failed = aRun({ state: 'failed', steps: null, backend: null, device_kind: null });
    expect(runDescription(failed, false, NOW)).toBe('failed · 3 hr. ago');
  });

  test('says of a prediction that was cancelled that it was, and not how its script took that', () => {
    const run = aRun({ predicted_for: 'v5e-8', was_cancelled: true, exit_code: 130, steps: 0 });
    expect(runDescription(run, false, NOW)).toBe('cancelled · 3 hr. ago · predicted for v5e-8');
    expect(runTooltip(run, 'train.py', 'en').value).toMatch(/Cancelled: .*not all that it compiles was compiled/u);
    expect(runTooltip(aRun(), 'train.py', 'en').value).not.toContain('Cancelled');
    const failed = aRun({ ...run, state: 'failed' });
    expect(runDescription(failed, false, NOW)).toBe('cancelled · 3 hr. ago · predicted for v5e-8');
  });

  test('leaves out what is unknown', () => {
    const unread = aRun({
      created: null,
      steps: null,
      backend: null,
      device_kind: null,
      problem: 'run.json is damaged.',
      state: null,
    });
    expect(runDescription(unread, false, NOW)).toBe('cannot be read');
  });

  test('says in the tooltip why it failed', () => {
    expect(runTooltip(aRun({ state: 'failed', failure: 'No trace could be taken' }), 'train.py', 'en').value).toContain(
      'No trace could be taken',
    );
  });

  test('takes nothing that was typed for Markdown', () => {
    expect(runTooltip(aRun({ args: ['[x](command:y)'] }), 'train.py', 'en').value).not.toContain('[x](');
  });
});

test('a time is told in the largest unit that has passed', () => {
  const ago = (seconds: number) => relativeTime(new Date(NOW.getTime() - seconds * 1000), NOW, 'en');
  expect([ago(5), ago(90), ago(7200), ago(86_400), ago(-60)]).toEqual([
    'just now',
    '1 min. ago',
    '2 hr. ago',
    'yesterday',
    'just now',
  ]);
});

describe('a run in the tree', () => {
  test('says first what tells it apart, since a narrow side bar cuts off the end', () => {
    const item = runItem(aRun({ args: ['--batch', '64'], exit_code: 2 }), false, 'train.py');
    expect(item.label).toBe('train.py');
    expect(item.description).toMatch(/^exit code 2 · --batch 64 · .*ago · 5 steps · 4 × TPU v6e$/);
    expect(runItem(aRun(), false, 'train.py').description).toMatch(/4 × TPU v6e$/);
    expect((item.tooltip as { value: string }).value).toContain('\\-\\-batch 64');
    expect(item.accessibilityInformation?.label).toContain('train.py --batch 64, ');
  });

  test('has its arguments option by option', () => {
    const found = argumentsByOption(['data.npz', '--batch', '64', '--lr=0.1=x', '--fast', '--bias', '-1', 'more']);
    expect(found.map(({ name, value }) => `${name} ${value}`.trimEnd())).toEqual([
      'data.npz',
      '--batch 64',
      '--lr 0.1=x',
      '--fast',
      '--bias -1',
      'more',
    ]);
  });

  test('has an icon for its state, and a word where it is shown', () => {
    const icon = (run: Parameters<typeof runItem>[0], isShown = false) =>
      (runItem(run, isShown, 'train.py').iconPath as { id: string }).id;
    expect(icon(aRun())).toBe('flame');
    expect(icon(aRun(), true)).toBe('eye');
    expect(icon(aRun({ pinned: true }))).toBe('pinned');
    expect(icon(aRun({ state: 'failed' }))).toBe('error');
    expect(icon(aRun({ problem: 'damaged' }))).toBe('warning');
    expect(icon(aRun({ state: 'running' }))).toBe('loading~spin');
    expect(icon(aRun({ is_live: true }))).toBe('record');
    expect(runItem(aRun(), true, 'train.py').accessibilityInformation?.label).toContain('shown');
  });

  test('opens with a click, unless it is still at work', () => {
    expect(runItem(aRun(), false, 'train.py').command).toMatchObject({
      command: 'scopelight.openRun',
      arguments: [aRun().path],
    });
    expect(runItem(aRun({ state: 'running' }), false, 'train.py').command).toBeUndefined();
  });

  test('offers what its state allows', () => {
    const context = (run: Parameters<typeof runItem>[0]) => runItem(run, false, 'train.py').contextValue;
    expect(context(aRun())).toBe('run');
    expect(context(aRun({ pinned: true, state: 'failed' }))).toBe('run.pinned');
    expect(context(aRun({ problem: 'damaged' }))).toBe('run.failed');
    expect(context(aRun({ state: 'running' }))).toBe('run.running');
    expect(context(aRun({ is_live: true, pinned: true }))).toBe('run.live');
  });
});

test('how long ago a run was is said anew each minute, while the view is seen', () => {
  vi.useFakeTimers();
  const visibility = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  const view = { visible: false, onDidChangeVisibility: visibility.event };
  const see = (visible: boolean) => {
    view.visible = visible;
    visibility.fire({ visible });
  };
  const refresh = vi.fn();
  const keeping = keepTimesTrue(view, refresh);
  vi.advanceTimersByTime(600_000);
  see(true);
  // A row that is about to be clicked stays.
  expect(refresh).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  see(false);
  see(true);
  expect(refresh).toHaveBeenCalledTimes(1);
  see(false);
  vi.advanceTimersByTime(600_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  see(true);
  expect(refresh).toHaveBeenCalledTimes(2);
  keeping.dispose();
  vi.advanceTimersByTime(600_000);
  expect(refresh).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
