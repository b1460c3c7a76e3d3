import { beforeEach, describe, expect, test } from 'vitest';
import { EventEmitter } from 'vscode';
import { DaemonError } from '../../../extension/src/daemon/connection';
import type { ComparedWith } from '../../../extension/src/protocol';
import { Remembered } from '../../../extension/src/remembered';
import { ComparedRun } from '../../../extension/src/comparison/comparedRun';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { anExperiment } from '../runs/anExperiment';
import { aRun } from '../features/aRun';
import { FakeDaemon, fakeMemento, opened } from '../features/fakeDaemon';
import { fake, resetFake, silentLog } from '../vscode';

beforeEach(resetFake);

const AFTER = '/runs/after';
const BEFORE = '/runs/before';

function sides(changes: Partial<ComparedWith> = {}): ComparedWith {
  return {
    run: AFTER,
    before: [BEFORE],
    after: [AFTER],
    since: '3f2a',
    before_title: 'before',
    after_title: 'after',
    before_revision: null,
    after_revision: null,
    experiment: null,
    ...changes,
  };
}

function setUp(memento = fakeMemento()) {
  const daemon = new FakeDaemon();
  const services = { daemon: daemon.connection, log: silentLog() } as never;
  const remembered = new Remembered(memento);
  const shown = new ShownRun(services, remembered);
  const listed = new EventEmitter<void>();
  const list = {
    known: [aRun({ path: BEFORE }), aRun({ path: AFTER })],
    experiments: [anExperiment()],
    onDidChange: listed.event,
  };
  const compared = new ComparedRun(services, remembered, shown, list);
  listed.fire();
  const told: (ComparedWith | null)[] = [];
  compared.onDidChange((each) => told.push(each));
  return {
    daemon,
    remembered,
    compared,
    told,
    show: (path: string | null) => daemon.notify('scopelight/shownRun', { run: path === null ? null : opened(path) }),
    deleteExperiment: () => {
      list.experiments = [];
      listed.fire();
    },
    list: (...paths: readonly string[]) => {
      list.known = paths.map((path) => aRun({ path }));
      listed.fire();
    },
  };
}

async function comparing() {
  const parts = setUp();
  parts.show(AFTER);
  const done = parts.compared.compare(AFTER, BEFORE);
  (await parts.daemon.request(0)).answer(sides());
  await done;
  return parts;
}

describe('what is compared', () => {
  test('is that of its run, whenever it is shown', async () => {
    const { compared, show, told } = await comparing();
    expect(compared.current?.since).toBe('3f2a');
    expect(fake.contexts.get('scopelight.isComparing')).toBe(true);
    show(BEFORE);
    expect(compared.current).toBeNull();
    expect(told.at(-1)).toBeNull();
    show(AFTER);
    expect(compared.current?.since).toBe('3f2a');
    expect(told.at(-1)?.since).toBe('3f2a');
  });

  test('is shown where another run is', async () => {
    const { compared, daemon, show } = setUp();
    show(BEFORE);
    const done = compared.compare(AFTER, BEFORE);
    (await daemon.request(0)).answer(sides());
    const opening = await daemon.request(1);
    expect(opening).toMatchObject({ method: 'scopelight/openRun', params: { path: AFTER } });
    opening.answer(opened(AFTER));
    await done;
    expect(compared.current?.run).toBe(AFTER);
  });

  test('is told to a daemon that was started again, when its run is shown there', async () => {
    const { daemon, show, compared, remembered } = await comparing();
    await remembered.setShownRun(AFTER);
    daemon.become('restarting');
    daemon.become('running');
    (await daemon.request(1)).answer(opened(AFTER));
    const again = await daemon.request(2);
    expect(again).toMatchObject({ method: 'scopelight/compareWith', params: { run: AFTER, before: BEFORE } });
    again.answer(sides({ since: '12:03' }));
    await expect.poll(() => compared.current?.since).toBe('12:03');
    show(AFTER);
    expect(daemon.asked).toHaveLength(3);
  });

  test('survives the window, and is forgotten where it cannot be had any more', async () => {
    const memento = fakeMemento();
    await new Remembered(memento).setComparing({ run: AFTER, before: BEFORE, shown: AFTER });
    const { daemon, show, compared, remembered } = setUp(memento);
    show(AFTER);
    (await daemon.request(0)).refuse(new DaemonError('it is gone'));
    await expect.poll(() => remembered.comparing).toBeUndefined();
    expect(compared.current).toBeNull();
  });

  test('ends where it is stopped, or one of its runs is deleted', async () => {
    for (const end of ['stop', 'delete'] as const) {
      const { daemon, compared, remembered, list } = await comparing();
      if (end === 'stop') {
        void compared.stop();
      } else {
        list(AFTER);
      }
      const asked = await daemon.request(1);
      expect(asked.method).toBe('scopelight/stopComparing');
      asked.answer({});
      expect(compared.current).toBeNull();
      expect(remembered.comparing).toBeUndefined();
    }
  });

  test('ends where the experiment is deleted that it is of', async () => {
    const { daemon, compared, remembered, show, deleteExperiment } = setUp();
    show(AFTER);
    const done = compared.compare(anExperiment().path, null);
    (await daemon.request(0)).answer(sides({ experiment: anExperiment().path }));
    await done;
    deleteExperiment();
    expect((await daemon.request(1)).method).toBe('scopelight/stopComparing');
    expect(compared.current).toBeNull();
    expect(remembered.comparing).toBeUndefined();
  });
});
