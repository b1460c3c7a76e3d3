import { beforeEach, expect, test, vi } from 'vitest';
import { Uri, window, workspace } from 'vscode';
import { registerGoToLine, showLine } from '../../../extension/src/lines/goToLine';
import { recordedUri } from '../../../extension/src/lines/recordedSource';
import type { FoundLine } from '../../../extension/src/protocol';
import { FakeDaemon } from '../features/fakeDaemon';
import { changeSetting, fake, resetFake, silentLog } from '../vscode';

const file = '/home/other/proj/model.py';
const reason = 'model.py of the run is not on this machine, and the run keeps no copy of it.';

function found(change: Partial<FoundLine>): FoundLine {
  return { file, line: 3, state: 'current', source: 'file', run: null, reason: null, cell: null, ...change };
}

let daemon: FakeDaemon;
/** What was shown: documents with the line of the cursor. */
let shown: string[];

beforeEach(() => {
  resetFake();
  daemon = new FakeDaemon();
  shown = [];
  vi.mocked(window.showOpenDialog).mockReset();
  vi.mocked(workspace.openTextDocument).mockImplementation(((uri: Uri) => {
    const lineAt = (line: number) => ({ lineNumber: line, firstNonWhitespaceCharacterIndex: 0, range: {} });
    return Promise.resolve({ uri, lineCount: 9, lineAt });
  }) as never);
  vi.mocked(window.showTextDocument).mockImplementation(((
    document: { uri: Uri },
    options: { selection: { start: { line: number } } },
  ) => {
    shown.push(`${document.uri.scheme} ${document.uri.path} ${options.selection.start.line + 1}`);
    return Promise.resolve({ revealRange: () => undefined });
  }) as never);
  registerGoToLine({ daemon: daemon.connection, log: silentLog() } as never);
});

function goToLine(...args: unknown[]): Promise<unknown> {
  return Promise.resolve(fake.commands.get('scopelight.goToLine')?.(...args));
}

async function answer(number: number, result: object): Promise<void> {
  (await daemon.request(number)).answer(result);
}

test('a line is opened in its file, as panels and as links of hover cards name it', async () => {
  const first = goToLine(file, 3);
  await answer(0, found({ file: '/w/model.py', line: 5 }));
  await first;
  const second = goToLine({ file, line: 3 });
  await answer(1, found({ file: '/w/model.py', line: 6, state: 'gone' }));
  await second;
  expect(shown).toEqual(['file /w/model.py 5', 'file /w/model.py 6']);
  expect(daemon.asked.map(({ params }) => params)).toEqual(Array(2).fill({ file, line: 3 }));
  expect(vi.mocked(window.setStatusBarMessage).mock.lastCall?.[0]).toContain('Line 3 of the run is gone');
});

test("where the file is not here the run's copy is opened", async () => {
  const going = goToLine(file, 3);
  await answer(0, found({ source: 'copy', run: '/runs/a' }));
  await going;
  expect(shown).toEqual(['scopelight-source /home/other/proj/model.py 3']);
  expect(fake.messages).toEqual([]);
});

test('a line of a cell is opened in its notebook, which counts its cells from 1', async () => {
  const cells = [1, 2, 3].map((number) => ({
    document: { uri: Uri.parse(`vscode-notebook-cell:///w/cell-${number}`) },
  }));
  const opened: unknown[] = [];
  Object.assign(workspace, {
    openNotebookDocument: (uri: Uri) => Promise.resolve({ uri, cellAt: (index: number) => cells[index] }),
  });
  fake.commands.set('vscode.open', (uri: unknown, options: unknown) => opened.push([String(uri), options]));
  const going = goToLine('/w/train.ipynb, cell 2', 3);
  await answer(0, found({ source: 'cell', file: 'file:///w/train.ipynb', cell: 2, line: 4 }));
  await going;
  expect(opened).toMatchObject([['vscode-notebook-cell:///w/cell-2', { selection: { start: { line: 3 } } }]]);
});

test('what never was a file is told in a sentence, without a button', async () => {
  const going = goToLine('<stdin>', 3);
  await answer(0, found({ source: 'fileless', reason: '<stdin> was typed.' }));
  await going;
  expect(fake.messages).toMatchObject([{ kind: 'information', text: '<stdin> was typed.', buttons: [] }]);
});

test('a folder is located, kept, and the line opened in it', async () => {
  changeSetting('scopelight.sourceFolders', { '/job': '/w/job' });
  vi.mocked(window.showOpenDialog).mockResolvedValue([Uri.file('/w/proj')] as never);
  const going = goToLine(file, 3);
  await answer(0, found({ source: 'absent', state: 'gone', reason }));
  // The command is over: whoever called it does not wait for the answer.
  await going;
  expect(fake.messages).toMatchObject([{ kind: 'warning', text: reason, buttons: ['Locate Folder…'] }]);
  fake.messages[0]?.press('Locate Folder…');
  const request = await daemon.request(1);
  expect([request.method, request.params]).toEqual(['scopelight/locateFolder', { file, folder: '/w/proj' }]);
  expect(vi.mocked(window.showOpenDialog).mock.lastCall?.[0]).toMatchObject({
    canSelectFolders: true,
    canSelectFiles: false,
    title: 'Locate the Folder of model.py',
  });
  request.answer({ recorded: '/home/other/proj', folder: '/w/proj', reason: null });
  await answer(2, found({ file: '/w/proj/model.py' }));
  await vi.waitFor(() => expect(shown).toEqual(['file /w/proj/model.py 3']));
  expect(fake.settings.get('scopelight.sourceFolders')).toEqual({ '/job': '/w/job', '/home/other/proj': '/w/proj' });
});

test('a folder without the file is told of, and another one asked for', async () => {
  vi.mocked(window.showOpenDialog)
    .mockResolvedValueOnce([Uri.file('/w/none')] as never)
    .mockResolvedValueOnce(undefined);
  await Promise.all([goToLine(file, 3), answer(0, found({ source: 'absent', reason }))]);
  fake.messages[0]?.press('Locate Folder…');
  await answer(1, { recorded: null, folder: null, reason: '/w/none holds no file that model.py must be.' });
  await vi.waitFor(() => expect(fake.messages).toHaveLength(2));
  expect(fake.messages[1]).toMatchObject({ kind: 'warning', buttons: ['Locate Folder…'] });
  expect(fake.messages[1]?.text).toContain('/w/none holds no file');
  fake.messages[1]?.press('Locate Folder…');
  await vi.waitFor(() => expect(window.showOpenDialog).toHaveBeenCalledTimes(2));
  expect(fake.settings.has('scopelight.sourceFolders')).toBe(false);
  expect(daemon.asked).toHaveLength(2);
});

test('from the copy in front its folder can be located', async () => {
  const uri = recordedUri({ run: '/runs/a', file });
  window.activeTextEditor = { document: { uri }, selection: { active: { line: 6 } } } as never;
  vi.mocked(window.showOpenDialog).mockResolvedValue([Uri.file('/w/proj')] as never);
  void fake.commands.get('scopelight.locateFolder')?.();
  await answer(0, { recorded: '/home/other/proj', folder: '/w/proj', reason: null });
  const request = await daemon.request(1);
  expect(request.params).toEqual({ file, line: 7 });
  request.answer(found({ file: '/w/proj/model.py', line: 7 }));
  await vi.waitFor(() => expect(shown).toEqual(['file /w/proj/model.py 7']));
});

test('who was told of a line before is led to it, or to what is left of it', async () => {
  await showLine('/w/model.py', 4);
  expect(shown).toEqual(['file /w/model.py 4']);
  vi.mocked(workspace.openTextDocument).mockRejectedValueOnce(new Error('gone'));
  const showing = showLine(file, 3);
  await answer(0, found({ source: 'copy', run: '/runs/a' }));
  await showing;
  expect(shown.at(-1)).toBe('scopelight-source /home/other/proj/model.py 3');
});
