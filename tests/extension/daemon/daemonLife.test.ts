import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { DaemonClient, MakeClient } from '../../../extension/src/daemon/client';
import { RefusedError } from '../../../extension/src/daemon/client';
import type { ProgressReport } from '../../../extension/src/daemon/connection';
import { DaemonError, DaemonStoppedError } from '../../../extension/src/daemon/connection';
import { Daemon } from '../../../extension/src/daemon/daemon';
import type { DaemonEnvironment, Missing, Ready } from '../../../extension/src/daemon/environment';
import { InstallError } from '../../../extension/src/daemon/installFailure';
import { InstallOffer } from '../../../extension/src/daemon/offer';
import { RestartPolicy } from '../../../extension/src/daemon/restartPolicy';
import type { ShownRun } from '../../../extension/src/protocol';
import { CancellationError, CancellationTokenSource, changeSetting, fake, resetFake, silentLog } from '../vscode';

const READY: Ready = { state: 'ready', kind: 'own', python: '/own/bin/python' };
const MISSING: Missing = { state: 'missing', kind: 'own', sentence: 'It is missing.', canInstall: true, agreed: false };

/** One process that was started, and what was asked of it. */
class FakeProcess implements DaemonClient {
  readonly requests: { method: string; params: object }[] = [];
  readonly settings: unknown[] = [];
  readonly notified = new Map<string, (params: unknown) => void>();
  readonly progress = new Map<string, (report: ProgressReport) => void>();
  isStopped = false;
  answer: () => Promise<unknown> = () => Promise.resolve({ runs: [] });

  constructor(
    readonly python: string,
    readonly crash: () => void,
    private readonly starting: () => Promise<void>,
  ) {}

  start(): Promise<void> {
    return this.starting();
  }

  request(method: string, params: object): Promise<unknown> {
    this.requests.push({ method, params });
    return this.answer();
  }

  onNotification(name: string, handler: (params: unknown) => void): void {
    this.notified.set(name, handler);
  }

  onProgress(token: string, handler: (report: ProgressReport) => void): { dispose(): unknown } {
    this.progress.set(token, handler);
    return { dispose: () => this.progress.delete(token) };
  }

  sendSettings(settings: unknown): void {
    this.settings.push(settings);
  }

  stop(): Promise<void> {
    this.isStopped = true;
    return Promise.resolve();
  }
}

/** A daemon whose environment and processes are made up. */
class Stage {
  located: Ready | Missing = READY;
  readonly processes: FakeProcess[] = [];
  readonly states: string[] = [];
  readonly installs: { kind: string; force: boolean }[] = [];
  starting: () => Promise<void> = () => Promise.resolve();
  installing: () => Promise<void> = () => {
    this.located = READY;
    return Promise.resolve();
  };
  now = 0;
  readonly daemon: Daemon;

  constructor() {
    const environment = {
      kind: 'own',
      locate: () => Promise.resolve(this.located),
      install: (kind: string, _: unknown, force: boolean) => {
        this.installs.push({ kind, force });
        return this.installing();
      },
    } as unknown as DaemonEnvironment;
    const make: MakeClient = (python, _, onEnded) => {
      const process = new FakeProcess(python, onEnded, () => this.starting());
      this.processes.push(process);
      return Promise.resolve(process);
    };
    const log = silentLog() as unknown as vscode.LogOutputChannel;
    const run = () => Promise.reject(new Error('no program is run here'));
    const offer = new InstallOffer(environment, run, log);
    this.daemon = new Daemon(environment, offer, make, log, new RestartPolicy(() => this.now));
    this.daemon.onDidChangeState((state) => this.states.push(state));
  }

  get last(): FakeProcess {
    const last = this.processes.at(-1);
    if (last === undefined) throw new Error('no process was started');
    return last;
  }

  runs(): Promise<unknown> {
    return this.daemon.request('scopelight/runs', {});
  }

  open(): Promise<unknown> {
    return this.daemon.request('scopelight/openRun', { path: '/run', workDoneToken: null });
  }
}

let stage: Stage;
const settled = () => new Promise((resolve) => setTimeout(resolve));
const message = (index = -1) => {
  const shown = fake.messages.at(index);
  if (shown === undefined) throw new Error('no message was shown');
  return shown;
};

beforeEach(() => {
  resetFake();
  stage = new Stage();
});

describe('starting', () => {
  test('happens with the first request, once for several', async () => {
    expect(stage.processes).toHaveLength(0);
    await Promise.all([stage.runs(), stage.runs(), stage.open()]);
    await stage.runs();
    expect(stage.processes.map((each) => each.python)).toEqual(['/own/bin/python']);
    expect(stage.last.requests).toHaveLength(4);
    expect(stage.states).toEqual(['starting', 'running']);
  });

  test('that fails rejects what needed it, and is tried again by the next request', async () => {
    stage.starting = () => Promise.reject(new DaemonError('could not be started'));
    await expect(stage.runs()).rejects.toThrow('could not be started');
    expect(stage.daemon.state).toBe('stopped');
    stage.starting = () => Promise.resolve();
    await stage.runs();
    expect(stage.daemon.state).toBe('running');
  });

  test('goes on for others where one request is cancelled', async () => {
    let started = (): void => undefined;
    stage.starting = () => new Promise((resolve) => (started = resolve));
    const source = new CancellationTokenSource();
    const token = source.token as unknown as vscode.CancellationToken;
    const cancelled = stage.daemon.request('scopelight/runs', {}, { token });
    const other = stage.runs();
    await settled();
    source.cancel();
    await expect(cancelled).rejects.toBeInstanceOf(CancellationError);
    started();
    await other;
    expect(stage.last.requests).toHaveLength(1);
  });
});

describe('requests', () => {
  test('report progress under a token of their own, until they are answered', async () => {
    await stage.runs();
    const reports: ProgressReport[] = [];
    stage.last.answer = () => {
      const { params } = stage.last.requests.at(-1) ?? {};
      const { workDoneToken } = params as { workDoneToken: string };
      stage.last.progress.get(workDoneToken)?.({ message: 'analysing', percentage: 40 });
      return Promise.resolve({});
    };
    await stage.daemon.request(
      'scopelight/openRun',
      { path: '/run', workDoneToken: null },
      { onProgress: (report) => reports.push(report) },
    );
    expect(reports).toEqual([{ message: 'analysing', percentage: 40 }]);
    expect(stage.last.progress.size).toBe(0);
  });

  test('that the daemon dies of reject, and the next one waits for the new process', async () => {
    await stage.runs();
    const first = stage.last;
    first.answer = () => {
      first.crash();
      return Promise.reject(new DaemonStoppedError('stopped before it had answered'));
    };
    await expect(stage.open()).rejects.toBeInstanceOf(DaemonStoppedError);
    await stage.open();
    expect(stage.processes).toHaveLength(2);
    expect(stage.last.requests.map((each) => each.method)).toEqual(['scopelight/openRun']);
  });

  test('are answered to, and notifications heard, whichever process sends them', async () => {
    const heard: (ShownRun['run'] | null)[] = [];
    const listening = stage.daemon.onNotification('scopelight/shownRun', ({ run }) => heard.push(run));
    await stage.runs();
    stage.last.notified.get('scopelight/shownRun')?.({ run: null });
    stage.last.crash();
    await stage.runs();
    stage.last.notified.get('scopelight/shownRun')?.({ run: null });
    expect(heard).toEqual([null, null]);
    listening.dispose();
    stage.last.notified.get('scopelight/shownRun')?.({ run: null });
    expect(heard).toHaveLength(2);
  });
});

describe('a daemon that stops by itself', () => {
  test('is started again, and that is told', async () => {
    await stage.runs();
    stage.last.crash();
    expect(stage.daemon.state).toBe('restarting');
    await settled();
    expect(stage.states).toEqual(['starting', 'running', 'restarting', 'running']);
    expect(message()).toMatchObject({
      kind: 'warning',
      text: "Scopelight's daemon stopped and was started again.",
      buttons: ['Show Log'],
    });
  });

  test('four times within three minutes is left stopped until a person restarts it', async () => {
    await stage.runs();
    for (let crash = 1; crash <= 4; crash++) {
      stage.last.crash();
      await settled();
    }
    expect(stage.processes).toHaveLength(4);
    expect(stage.daemon.state).toBe('stopped');
    expect(message()).toMatchObject({ kind: 'error', buttons: ['Restart', 'Show Log'] });
    await expect(stage.runs()).rejects.toThrow(/keeps stopping.*Restart Daemon/);
    expect(stage.processes, 'not started by a request').toHaveLength(4);

    message().press('Restart');
    await settled();
    expect(fake.executed.map((each) => each.command)).toContain('scopelight.restartDaemon');
    await stage.daemon.restart();
    await stage.runs();
    stage.last.crash();
    await settled();
    expect(stage.daemon.state, 'what was before does not count any more').toBe('running');
  });

  test('now and then is always started again', async () => {
    await stage.runs();
    for (let crash = 1; crash <= 10; crash++) {
      stage.now += 70_000;
      stage.last.crash();
      await settled();
    }
    expect(stage.daemon.state).toBe('running');
  });

  test('and does not start any more is told with the reason', async () => {
    await stage.runs();
    stage.starting = () => Promise.reject(new DaemonError('could not be started'));
    stage.last.crash();
    await settled();
    expect(stage.daemon.state).toBe('stopped');
    expect(message()).toMatchObject({ kind: 'error', text: 'could not be started', buttons: ['Restart', 'Show Log'] });
  });
});

describe('a daemon that speaks another protocol', () => {
  test('is refused with its sentence, once, until another is installed', async () => {
    const sentence = 'The extension speaks protocol 2 and this daemon 1.';
    stage.starting = () => Promise.reject(new RefusedError(sentence, 'daemon'));
    await expect(stage.runs()).rejects.toThrow(/speaks protocol/);
    await expect(stage.runs()).rejects.toThrow(/speaks protocol/);
    expect(stage.processes).toHaveLength(1);
    expect(stage.daemon.state).toBe('refused');
    expect(fake.messages).toHaveLength(1);
    expect(message()).toMatchObject({ kind: 'error', buttons: ['Install Daemon', 'Show Log'] });

    stage.starting = () => Promise.resolve();
    await stage.daemon.reinstall();
    expect(stage.installs).toEqual([{ kind: 'own', force: true }]);
    await stage.runs();
    expect(stage.daemon.state).toBe('running');
  });
});

describe('a daemon that speaks a newer protocol', () => {
  test('is refused with a way to the extension, which is what is to be updated', async () => {
    const sentence = 'The extension speaks protocol 1 and this daemon 2.';
    stage.starting = () => Promise.reject(new RefusedError(sentence, 'extension'));
    await expect(stage.runs()).rejects.toThrow(/speaks protocol/);
    expect(message()).toMatchObject({ kind: 'error', text: sentence, buttons: ['Show Extension', 'Show Log'] });
    message().press('Show Extension');
    await settled();
    expect(fake.executed).toContainEqual({ command: 'workbench.extensions.search', args: ['@installed scopelight'] });
  });
});

describe('a daemon that is not installed', () => {
  beforeEach(() => {
    stage.located = MISSING;
  });

  test('is no matter for views that only look', async () => {
    await expect(stage.runs()).rejects.toThrow('It is missing. Run "Scopelight: Install Daemon".');
    expect(stage.daemon.state).toBe('missing');
    expect(fake.messages).toEqual([]);
  });

  test('is no matter for what nobody has just asked for', async () => {
    const restoring = stage.daemon.request(
      'scopelight/openRun',
      { path: '/run', workDoneToken: null },
      { isQuiet: true },
    );
    await expect(restoring).rejects.toThrow('It is missing. Run "Scopelight: Install Daemon".');
    expect(stage.daemon.state).toBe('missing');
    expect(fake.messages).toEqual([]);
  });

  test('is offered to who asks for something, before all else, and installed on a yes', async () => {
    const opening = stage.open();
    await settled();
    expect(message()).toMatchObject({
      kind: 'information',
      text: 'It is missing.',
      buttons: ['Install', 'Use My Interpreter'],
      options: { modal: true },
    });
    expect(message().options.detail).toMatch(
      /about 80 MB from PyPI.*about 340 MB on the disk.*half a minute.*\n\n.*nothing in your own environments changes/,
    );
    message().press('Install');
    await opening;
    expect(stage.installs).toEqual([{ kind: 'own', force: false }]);
    expect(fake.progress.map((each) => each.title)).toEqual(["Installing Scopelight's daemon"]);
    expect(stage.last.requests).toHaveLength(1);
  });

  test('is there before anything else is asked, and loads meanwhile', async () => {
    const ready = stage.daemon.beInstalled();
    await settled();
    message().press('Install');
    await ready;
    await settled();
    expect(stage.processes).toHaveLength(1);
    await stage.daemon.beInstalled();
    expect(stage.processes).toHaveLength(1);
  });

  test('is not installed on a no', async () => {
    const opening = stage.open();
    await settled();
    message().press(undefined);
    await expect(opening).rejects.toBeInstanceOf(CancellationError);
    expect(stage.installs).toEqual([]);
    const python = stage.daemon.python();
    await settled();
    expect(fake.messages, 'asked again by who asks again').toHaveLength(2);
    message().press(undefined);
    await expect(python).rejects.toBeInstanceOf(CancellationError);
  });

  test('is waited for by one thing that was asked for: a second one ends at once', async () => {
    let done = (): void => undefined;
    stage.installing = () =>
      new Promise((resolve) => {
        done = () => {
          stage.located = READY;
          resolve();
        };
      });
    const first = stage.daemon.python();
    await settled();
    await expect(stage.daemon.python(), 'the offer stands in front').rejects.toBeInstanceOf(CancellationError);
    expect(fake.messages).toHaveLength(1);
    message().press('Install');
    await settled();
    await expect(stage.daemon.python()).rejects.toBeInstanceOf(CancellationError);
    expect(message().text).toMatch(/is being installed: what was started first goes on/);
    done();
    expect(await first).toBe('/own/bin/python');
    expect(stage.installs).toHaveLength(1);
  });

  test('whose failed installation was left unanswered is offered anew, and the first command ends', async () => {
    const works = stage.installing;
    stage.installing = () => Promise.reject(new InstallError('The package index could not be reached.'));
    const first = stage.daemon.python();
    const isOver = expect(first).rejects.toBeInstanceOf(CancellationError);
    await settled();
    message().press('Install');
    await settled();
    expect(message().text).toBe('The package index could not be reached.');
    stage.installing = works;
    const second = stage.daemon.python();
    await settled();
    await isOver;
    expect(message().text).toBe('It is missing.');
    message().press('Install');
    expect(await second).toBe('/own/bin/python');
  });

  test("is looked for in the user's interpreter where that is preferred", async () => {
    const python = stage.daemon.python();
    await settled();
    stage.located = { ...MISSING, kind: 'interpreter', sentence: '/usr/bin/python3 has no Scopelight.' };
    message().press('Use My Interpreter');
    await settled();
    expect(fake.settings.get('scopelight.daemon.environment')).toBe('interpreter');
    expect(message().buttons).toEqual(['Install', 'Use Own Environment']);
    message().press('Install');
    await python;
    expect(stage.installs).toEqual([{ kind: 'interpreter', force: false }]);
  });

  test('names no interpreter in a workspace that is not trusted', async () => {
    const { workspace } = await import('../vscode');
    workspace.isTrusted = false;
    const opening = stage.open();
    await settled();
    expect(message().buttons).toEqual(['Install']);
    message().press(undefined);
    await expect(opening).rejects.toBeInstanceOf(CancellationError);
  });

  test('is brought up to date without asking where an older one was installed', async () => {
    stage.located = { ...MISSING, agreed: true };
    await stage.runs();
    expect(fake.messages).toEqual([]);
    expect(stage.installs).toHaveLength(1);
  });

  test('says why an installation failed, and tries again on demand', async () => {
    const works = stage.installing;
    stage.installing = () => Promise.reject(new InstallError('The package index could not be reached.'));
    const opening = stage.open();
    await settled();
    message().press('Install');
    await settled();
    expect(message()).toMatchObject({
      kind: 'error',
      text: 'The package index could not be reached.',
      buttons: ['Retry', 'Show Log'],
    });
    stage.installing = works;
    message().press('Retry');
    await opening;
    expect(stage.installs).toHaveLength(2);
  });

  test('whose update failed does not bother views again', async () => {
    stage.located = { ...MISSING, agreed: true };
    stage.installing = () => Promise.reject(new CancellationError());
    await expect(stage.runs()).rejects.toBeInstanceOf(CancellationError);
    await expect(stage.runs()).rejects.toThrow('It is missing.');
    expect(stage.installs).toHaveLength(1);
  });
});

describe('settings', () => {
  test('go to the process that runs', async () => {
    stage.daemon.sendSettings();
    await stage.runs();
    changeSetting('scopelight.annotations.threshold', 5);
    stage.daemon.sendSettings();
    expect(stage.last.settings).toEqual([expect.objectContaining({ threshold_ratio: 0.05 })]);
  });
});

describe('restarting soon', () => {
  test('is one restart for many changes, and none for a daemon that was never needed', async () => {
    vi.useFakeTimers();
    try {
      stage.daemon.restartSoon();
      await vi.runAllTimersAsync();
      expect(stage.processes).toHaveLength(0);

      await stage.runs();
      const first = stage.last;
      for (let change = 0; change < 5; change++) stage.daemon.restartSoon();
      await vi.runAllTimersAsync();
      expect(stage.processes).toHaveLength(2);
      expect(first.isStopped).toBe(true);
      expect(fake.messages, 'it was meant').toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('requests meanwhile wait for the new process', async () => {
    await stage.runs();
    const restarting = stage.daemon.restart();
    await Promise.all([restarting, stage.runs()]);
    expect(stage.processes).toHaveLength(2);
    expect(stage.last.requests).toHaveLength(1);
  });
});
