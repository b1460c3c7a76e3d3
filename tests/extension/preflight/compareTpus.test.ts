import { beforeEach, expect, test, vi } from 'vitest';
import { Captures } from '../../../extension/src/capture/captures';
import { registerCompareTpus } from '../../../extension/src/preflight/compareTpus';
import { ScriptArguments } from '../../../extension/src/preflight/scriptArguments';
import { Remembered } from '../../../extension/src/remembered';
import { EventEmitter, fake, resetFake, silentLog, tasks, Uri, window, workspace } from '../vscode';
import { fakeMemento } from '../features/fakeDaemon';

const SCRIPT = '/w/step.py';
const OFFERED = [
  { name: 'v5e-8', description: '8 devices of 16 GiB' },
  { name: 'v6e-8', description: '8 devices of 32 GiB' },
  { name: 'v5p-8', description: '4 devices of 95 GiB' },
];

interface Picked {
  readonly label: string;
  readonly picked?: boolean;
}

/** How captures end, in their order: the later ones as the last that is named. */
let ends: readonly ('captured' | 'failed')[] = [];
let followed: string[] = [];
let compared: (readonly string[])[] = [];
let remembered: Remembered;
const shown = {
  current: null as { readonly path: string } | null,
  openCaptured: vi.fn(() => Promise.resolve()),
};
const execution = { terminate: vi.fn() };
const ended = new EventEmitter<unknown>();
const retention = { apply: vi.fn(() => Promise.resolve()) };

beforeEach(() => {
  resetFake();
  ends = ['captured'];
  followed = [];
  compared = [];
  shown.current = null;
  shown.openCaptured.mockClear();
  workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
  workspace.fs.stat.mockResolvedValue({});
  tasks.executeTask.mockReset().mockReturnValue(Promise.resolve(execution));
  vi.spyOn(tasks, 'onDidStartTaskProcess').mockImplementation(new EventEmitter<unknown>().event);
  vi.spyOn(tasks, 'onDidEndTaskProcess').mockImplementation(ended.event);
  window.showInputBox.mockReset();
  window.showQuickPick.mockReset();
  register();
});

function register(): void {
  remembered = new Remembered(fakeMemento());
  const request = (method: string, params: { readonly path?: string; readonly name?: string }) => {
    switch (method) {
      case 'scopelight/compilerState':
        return Promise.resolve({ problem: null, is_there: true, offered: OFFERED });
      case 'scopelight/nameTpu':
        return Promise.resolve({ problem: params.name?.startsWith('v') === true ? null : `${params.name} is no TPU` });
      case 'scopelight/runs':
        return Promise.resolve({ runs: [] });
      default: {
        followed.push(params.path ?? '');
        const stage = ends[followed.length - 1] ?? ends.at(-1);
        // A process that captured goes on a moment longer than anybody waits for it here.
        if (stage === 'failed') {
          ended.fire({ execution, exitCode: 1 });
        }
        return Promise.resolve({ path: params.path, stage, failure: 'No.', out_of_memory: false, error: null });
      }
    }
  };
  const daemon = {
    request,
    beInstalled: () => Promise.resolve(),
    python: () => Promise.resolve('python'),
    state: 'running',
  };
  const services = { daemon, log: silentLog(), scriptInterpreter: () => Promise.resolve('/usr/bin/python3') };
  const list = { get: () => Promise.resolve([]) };
  registerCompareTpus(
    services as never,
    { remembered, list, shown, captures: new Captures(), retention } as never,
    new ScriptArguments(remembered),
    {
      open: (paths) => {
        compared.push(paths);
        return Promise.resolve();
      },
    },
  );
}

function pick(...labels: readonly string[]): void {
  window.showQuickPick.mockImplementationOnce((items: readonly Picked[]) =>
    Promise.resolve(items.filter(({ label }) => labels.includes(label))),
  );
}

const compare = () => {
  void remembered.setAnswers({ kind: 'script', path: SCRIPT }, { args: '--steps 2', window: { kind: 'settings' } });
  return fake.commands.get('scopelight.compareTpus')?.(Uri.file(SCRIPT));
};

/** What each capture was started with. */
function started(): readonly (readonly string[])[] {
  return tasks.executeTask.mock.calls.map(
    ([task]) => (task as { execution: { args: readonly string[] } }).execution.args,
  );
}

test('each TPU gets a run of its own, and all are shown side by side', async () => {
  pick('v5e-8', 'v6e-8');
  await compare();
  const tpus = started().map((args) => args[args.indexOf('--tpu') + 1]);
  expect(tpus).toEqual(['v5e-8', 'v6e-8']);
  for (const args of started()) {
    expect(args.slice(-3)).toEqual(['step.py', '--steps', '2']);
  }
  expect(new Set(followed).size).toBe(2);
  expect(compared).toEqual([followed]);
  expect(shown.openCaptured).toHaveBeenCalledExactlyOnceWith(followed[1]);
  expect(retention.apply).toHaveBeenCalledWith('/w');
});

test('a run that was selected meanwhile stays shown', async () => {
  pick('v5e-8', 'v6e-8');
  retention.apply.mockClear();
  tasks.executeTask.mockImplementation(() => {
    shown.current = { path: '/w/.scopelight/other' };
    return Promise.resolve(execution);
  });
  await compare();
  expect(compared).toEqual([followed]);
  expect(shown.openCaptured).not.toHaveBeenCalled();
  expect(retention.apply).toHaveBeenCalledWith('/w');
});

test('those of the last time are ticked, and others can be named', async () => {
  pick('v5e-8', 'Another…');
  window.showInputBox.mockImplementationOnce(
    async ({ validateInput }: { validateInput: (text: string) => Promise<string | undefined> }) => {
      expect(await validateInput('v6e-256, h100')).toBe('h100 is no TPU');
      expect(await validateInput('v6e-256, v5e-8')).toBeUndefined();
      return 'v6e-256, v5e-8';
    },
  );
  await compare();
  expect(remembered.comparedTpus).toEqual(['v5e-8', 'v6e-256']);
  let offered: readonly Picked[] = [];
  window.showQuickPick.mockImplementationOnce((items: readonly Picked[]) => {
    offered = items;
    return Promise.resolve(undefined);
  });
  await compare();
  expect(offered.filter(({ picked }) => picked === true).map(({ label }) => label)).toEqual(['v5e-8', 'v6e-256']);
  expect(offered.map(({ label }) => label)).toEqual(['v5e-8', 'v6e-256', 'v6e-8', 'v5p-8', 'Another…']);
});

test('of one TPU values of an argument are compared, and each run is made again as it is recorded', async () => {
  pick('v5e-8');
  window.showInputBox.mockResolvedValueOnce('--batch-size 64,128');
  await compare();
  expect(started().map((args) => args.filter((each) => /^--(batch|arg)=/u.test(each)))).toEqual([
    ['--batch=64', '--arg=--batch-size'],
    ['--batch=128', '--arg=--batch-size'],
  ]);
  expect(compared).toEqual([followed]);
  expect(new Set(followed).size).toBe(2);
  expect(followed.map((path) => remembered.making(path))).toEqual([undefined, undefined]);
  expect(remembered.sweep).toBe('--batch-size 64,128');
});

test('what failed is left out, and where all fail nothing is shown', async () => {
  ends = ['failed', 'captured'];
  pick('v5e-8', 'v6e-8');
  await compare();
  expect(compared).toEqual([[followed[1]]]);
  ends = ['failed'];
  followed = [];
  pick('v5e-8', 'v6e-8');
  await compare();
  expect(followed).toHaveLength(2);
  expect(compared).toHaveLength(1);
});

test.each([[undefined], [[]]])('nothing is started where no TPU is chosen (%j)', async (chosen) => {
  window.showQuickPick.mockResolvedValueOnce(chosen);
  await compare();
  expect(tasks.executeTask).not.toHaveBeenCalled();
});

test('nothing is started where the argument is not said', async () => {
  pick('v5e-8');
  window.showInputBox.mockResolvedValueOnce(undefined);
  await compare();
  expect(tasks.executeTask).not.toHaveBeenCalled();
});

test('to cancel one ends the rest', async () => {
  vi.spyOn(window, 'withProgress').mockImplementationOnce((_, task) => {
    const token = { isCancellationRequested: true, onCancellationRequested: (tell: () => void) => tell() };
    return task({ report: () => undefined }, token as never);
  });
  pick('v5e-8', 'v6e-8', 'v5p-8');
  await compare();
  expect(followed).toHaveLength(1);
  expect(compared).toEqual([followed]);
});
