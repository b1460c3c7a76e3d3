// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HostFacts } from '../../../../extension/src/panels/messages';
import { panel } from '../../../../extension/webview/panels/hotLines/panel';
import { RecordView } from '../../../../extension/webview/shared/page/recordView';
import { PATIENCE_MS } from '../../../../extension/webview/shared/page/states';
import { opened } from '../../features/fakeDaemon';
import { aView } from '../hotLines/madeLines';
import { FakeHost, rendered } from './fakePage';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function open(facts: Partial<HostFacts> = {}) {
  const host = new FakeHost();
  const element = await rendered(
    host.page(),
    <RecordView panel={panel} params={{}} show={({ run }) => <p>{run.title} is shown</p>} />,
  );
  await host.facts(facts);
  const buttons = () => [...element.querySelectorAll<HTMLElement>('vscode-button')];
  const press = (label: string) =>
    act(async () => {
      const button = buttons().find((each) => each.textContent === label);
      if (button === undefined) {
        throw new Error(`There is no button ${label}`);
      }
      button.click();
      await Promise.resolve();
    });
  const wait = () => act(() => void vi.advanceTimersByTime(PATIENCE_MS));
  return { host, element, press, wait, labels: () => buttons().map((button) => button.textContent) };
}

const ran = (command: string) => ({ type: 'run', command });

describe('empty', () => {
  test('without a run offers what to do', async () => {
    const { element, labels, press, host } = await open({ shownRun: null });
    expect(element.textContent).toContain('No run is shown.');
    expect(labels()).toEqual(['Profile a Training Script', 'Open a Profile', 'Select Run']);
    await press('Open a Profile');
    expect(host.sent.at(-1)).toEqual(ran('scopelight.openProfile'));
  });

  test('in a workspace that is not trusted offers to look, not to run', async () => {
    const { labels } = await open({ shownRun: null, trusted: false });
    expect(labels()).toEqual(['Open a Profile', 'Select Run']);
  });

  test('without a daemon offers to install it', async () => {
    const { press, host } = await open({ daemonState: 'missing', shownRun: null });
    await press('Install Daemon');
    expect(host.sent.at(-1)).toEqual(ran('scopelight.installDaemon'));
  });

  test('with a daemon of another version says so', async () => {
    const { element, labels } = await open({ daemonState: 'refused', shownRun: null });
    expect(element.textContent).toContain('another version');
    expect(labels()).toContain('Install Daemon');
  });
});

describe('loading', () => {
  test('is not mentioned before a person would wonder', async () => {
    const { element, wait } = await open();
    expect(element.textContent).toBe('');
    await wait();
    expect(element.textContent).toContain('Reading train.py…');
  });

  test('says how far it is, and can be cancelled and begun again', async () => {
    const { host, element, press, wait } = await open();
    await wait();
    await host.say({ type: 'progress', id: 1, progress: { message: 'Analysing', percentage: 40 } });
    expect(element.textContent).toContain('Analysing 40 %');
    await press('Cancel');
    expect(host.sent.at(-1)).toEqual({ type: 'cancel', id: 1 });
    expect(element.textContent).toContain('cancelled');
    await press('Try Again');
    await host.answer(aView());
    expect(element.textContent).toContain('train.py is shown');
  });
});

describe('an error', () => {
  test('is one sentence, with the log and another attempt', async () => {
    const { host, element, press } = await open();
    await host.say({ type: 'failure', id: 1, message: 'The profile is damaged.' });
    expect(element.querySelector('[role=alert]')?.textContent).toContain('The profile is damaged.');
    await press('Show Log');
    expect(host.sent.at(-1)).toEqual(ran('scopelight.showLog'));
    await press('Try Again');
    expect(host.request.id).toBe(2);
  });

  test('of a refresh leaves what was shown, and says so', async () => {
    const { host, element } = await open();
    await host.answer(aView());
    await host.facts({ shownRunGeneration: 2 });
    await host.say({ type: 'failure', id: 2, message: 'The profile is damaged.' });
    expect(element.textContent).toBe('The profile is damaged.train.py is shown');
  });
});

describe('disconnected', () => {
  test('keeps what was shown until the daemon is back, and then reads it anew', async () => {
    const { host, element } = await open();
    await host.answer(aView());
    await host.facts({ daemonState: 'restarting' });
    expect(element.textContent).toContain('The daemon is restarting.');
    expect(element.textContent).toContain('train.py is shown');
    await host.facts({ daemonState: 'running' });
    expect(element.textContent).toBe('train.py is shown');
    expect(host.request.id).toBe(1);
    await host.facts({ daemonState: 'running', shownRunGeneration: 2 });
    expect(host.request.id).toBe(2);
  });

  test('asks again for what it was reading', async () => {
    const { host } = await open();
    await host.facts({ daemonState: 'restarting' });
    expect(host.sent.at(-1)).toEqual({ type: 'cancel', id: 1 });
    await host.facts();
    expect(host.request.id).toBe(2);
  });
});

test('an answer for a run that is no longer shown is not shown', async () => {
  const { host, element } = await open();
  await host.facts({ shownRun: opened('/runs/b', { title: 'other.py' }), shownRunGeneration: 2 });
  await host.say({ type: 'result', id: 1, result: aView() });
  expect(element.textContent).not.toContain('is shown');
});
