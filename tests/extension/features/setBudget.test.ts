import { beforeEach, expect, test, vi } from 'vitest';
import { window as theWindow, workspace as theWorkspace } from 'vscode';
import type { ProposedBudget, ProposedBudgets } from '../../../extension/src/protocol';
import { Remembered } from '../../../extension/src/remembered';
import { OpenedProfiles } from '../../../extension/src/runs/openedProfiles';
import { RunsList } from '../../../extension/src/runs/runsList';
import { registerSetBudget } from '../../../extension/src/runs/setBudget';
import { ShownRun } from '../../../extension/src/runs/shownRun';
import { fake, Range, resetFake, silentLog, Uri, window, workspace, type WorkspaceEdit } from '../vscode';
import { aRun } from './aRun';
import { FakeDaemon, fakeMemento } from './fakeDaemon';

interface Offered {
  readonly label: string;
  readonly picked?: boolean;
  readonly detail?: string;
}

const STEP = aBudget({ name: 'step_ms', title: 'Median time of a step', limit: '220', is_first_choice: true });
const SHARE = aBudget({ name: 'share', place: 'train.py:step', title: 'Share of the step', limit: '"20 %"' });
const RUN = { kind: 'run', run: aRun({ path: '/w/.scopelight/a' }), name: 'train.py' };

function aBudget(parts: Partial<ProposedBudget>): ProposedBudget {
  return {
    name: '',
    place: null,
    limit: '',
    title: '',
    description: 'at most 220 ms',
    detail: 'This run: 200 ms; 10 % more are allowed',
    is_first_choice: false,
    ...parts,
  };
}

function setUp() {
  const daemon = new FakeDaemon();
  const services = { daemon: daemon.connection, log: silentLog() } as never;
  const remembered = new Remembered(fakeMemento());
  const shown = new ShownRun(services, remembered);
  const list = new RunsList(services);
  const profiles = new OpenedProfiles(remembered);
  registerSetBudget(services, { list, shown, profiles, remembered, isPageInSight: () => false });
  return daemon;
}

function propose(budgets: readonly ProposedBudget[]): ProposedBudgets {
  return { run: 'train.py', config: '/w/pyproject.toml', is_new: false, budgets };
}

const document = { lineCount: 9, save: vi.fn() };
let offered: readonly Offered[] = [];

beforeEach(() => {
  resetFake();
  offered = [];
  document.save.mockReset();
  window.activeTextEditor = undefined;
  workspace.textDocuments = [];
  vi.mocked(workspace.applyEdit).mockReset().mockResolvedValue(true);
  vi.mocked(theWorkspace.openTextDocument).mockResolvedValue(document as never);
  vi.mocked(theWindow.showTextDocument).mockClear();
  vi.mocked(theWindow.showQuickPick).mockImplementation((items) => {
    offered = items as unknown as Offered[];
    return Promise.resolve(offered.filter(({ picked }) => picked) as never);
  });
});

async function set(daemon: FakeDaemon, argument: unknown, ...budgets: readonly ProposedBudget[]) {
  const done = fake.commands.get('scopelight.setBudget')?.(argument);
  const asked = await daemon.request(0);
  asked.answer(propose(budgets));
  return { asked, done };
}

const EDITS = {
  config: '/w/pyproject.toml',
  is_new: false,
  edits: [{ start_line: 1, start_character: 10, end_line: 1, end_character: 13, text: '220' }],
  line: 2,
};

test('what is picked of a run is written where the daemon says, shown and saved', async () => {
  const daemon = setUp();
  const { asked, done } = await set(daemon, RUN, SHARE, STEP);
  expect(asked.params).toEqual({ path: '/w/.scopelight/a', file: null, line: null });
  const writing = await daemon.request(1);
  expect(offered.map(({ label }) => label)).toEqual([
    'train.py:step',
    'Share of the step',
    'The whole run',
    'Median time of a step',
  ]);
  expect(writing.params).toEqual({
    config: '/w/pyproject.toml',
    budgets: [{ name: 'step_ms', place: null, limit: '220' }],
  });
  writing.answer(EDITS);
  await done;
  const edit = vi.mocked(workspace.applyEdit).mock.calls[0]?.[0] as WorkspaceEdit;
  expect(edit.created).toEqual([]);
  expect(edit.replaced).toEqual([{ path: '/w/pyproject.toml', range: new Range(1, 10, 1, 13), text: '220' }]);
  expect(document.save).toHaveBeenCalledOnce();
  expect(vi.mocked(theWindow.showTextDocument).mock.calls[0]?.[1]).toMatchObject({ selection: { start: { line: 1 } } });
});

test('a new file is made first', async () => {
  const daemon = setUp();
  const { done } = await set(daemon, RUN, STEP);
  (await daemon.request(1)).answer({ ...EDITS, is_new: true });
  await done;
  expect((vi.mocked(workspace.applyEdit).mock.calls[0]?.[0] as WorkspaceEdit).created).toEqual(['/w/pyproject.toml']);
});

test('a file that the person is editing is not saved', async () => {
  const daemon = setUp();
  workspace.textDocuments = [{ uri: Uri.file('/w/pyproject.toml'), isDirty: true }];
  const { done } = await set(daemon, RUN, STEP);
  (await daemon.request(1)).answer(EDITS);
  await done;
  expect(workspace.applyEdit).toHaveBeenCalledOnce();
  expect(document.save).not.toHaveBeenCalled();
});

test('the function at the cursor, or of the code action, is asked for', async () => {
  window.activeTextEditor = {
    document: { uri: Uri.file('/w/train.py'), languageId: 'python' },
    selection: { active: { line: 6 } },
  };
  const daemon = setUp();
  const { asked } = await set(daemon, RUN, SHARE);
  expect(asked.params).toMatchObject({ file: '/w/train.py', line: 7 });
  const other = setUp();
  window.activeTextEditor = undefined;
  vi.mocked(theWindow.showQuickPick).mockResolvedValueOnce({ path: '/w/.scopelight/a' } as never);
  void fake.commands.get('scopelight.setBudget')?.({ file: '/w/model.py', line: 3 });
  (await other.request(0)).answer({ runs: [RUN.run], log_directories: [], experiments: [] });
  expect((await other.request(1)).params).toMatchObject({ path: '/w/.scopelight/a', file: '/w/model.py', line: 3 });
});

test('who picks nothing, or leaves, changes nothing', async () => {
  const daemon = setUp();
  const { done } = await set(daemon, RUN, SHARE);
  await done;
  expect(daemon.asked).toHaveLength(1);
  expect(workspace.applyEdit).not.toHaveBeenCalled();
});
