// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { RequestCancelled, RequestFailure } from '../../../../extension/webview/shared/page/rpc';
import { SavedState } from '../../../../extension/webview/shared/page/state';
import { FakeHost } from './fakePage';
import { someFacts } from './madeFacts';

describe('a request of a page', () => {
  test('is answered by its own answer', async () => {
    const host = new FakeHost();
    const { host: link } = host.page();
    const first = link.request('lines', {});
    const second = link.request('lines', {});
    await host.say({ type: 'result', id: 2, result: 'second' });
    await host.say({ type: 'result', id: 1, result: 'first' });
    expect(await first).toBe('first');
    expect(await second).toBe('second');
  });

  test('that is cancelled tells the host and drops a late answer', async () => {
    const host = new FakeHost();
    const aborting = new AbortController();
    const answer = host.page().host.request('lines', {}, { signal: aborting.signal });
    aborting.abort();
    expect(host.sent.at(-1)).toEqual({ type: 'cancel', id: 1 });
    await host.say({ type: 'result', id: 1, result: 'late' });
    await expect(answer).rejects.toBeInstanceOf(RequestCancelled);
  });

  test('reports progress and fails with a sentence', async () => {
    const host = new FakeHost();
    const onProgress = vi.fn();
    const answer = host.page().host.request('lines', {}, { onProgress });
    await host.say({ type: 'progress', id: 1, progress: { message: 'analysing', percentage: 40 } });
    expect(onProgress).toHaveBeenCalledWith({ message: 'analysing', percentage: 40 });
    const failing = expect(answer).rejects.toThrow(new RequestFailure('The profile is damaged.'));
    await host.say({ type: 'failure', id: 1, message: 'The profile is damaged.' });
    await failing;
  });
});

describe('a selection made on the page', () => {
  const first = { kind: 'line', file: '/w/a.py', line: 1 } as const;
  const second = { kind: 'line', file: '/w/a.py', line: 2 } as const;

  test('holds against what the host said before it had heard of it', async () => {
    const host = new FakeHost();
    const page = host.page().host;
    await host.facts();
    page.select(first);
    page.select(second);
    page.select(first);
    expect(page.facts.value?.selection).toEqual(first);
    await host.say({ type: 'facts', facts: { ...someFacts, selection: second }, heardSelections: 2 });
    expect(page.facts.value?.selection).toEqual(first);
    await host.say({ type: 'facts', facts: { ...someFacts, selection: second }, heardSelections: 3 });
    expect(page.facts.value?.selection).toEqual(second);
  });
});

describe('what a page saves', () => {
  test('is there after a reload, and names the panel from the start', () => {
    const host = new FakeHost();
    const before = new SavedState(host.api, 'hotLines');
    expect(host.state).toEqual({ panel: 'hotLines', values: {} });
    before.signal('search', '').value = 'einsum';
    expect(new SavedState(host.api, 'hotLines').signal('search', '').value).toBe('einsum');
  });

  test('is one signal for all who ask by its name', () => {
    const saved = new SavedState(new FakeHost().api, 'hotLines');
    expect(saved.signal('sort', 1)).toBe(saved.signal('sort', 2));
  });
});
