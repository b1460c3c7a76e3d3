import { beforeEach, expect, test } from 'vitest';
import { pickTarget } from '../../../extension/src/launch/pickTarget';
import type { Remembered } from '../../../extension/src/remembered';
import { resetFake, Uri, window, workspace } from '../vscode';

const remembered = { targets: [], targetOfFile: () => undefined } as unknown as Remembered;
const files: string[] = [];

interface Item {
  readonly label: string;
}

/** Chooses the item that says so; the labels of all that were offered. */
function choose(label: RegExp): Promise<string[]> {
  return new Promise((resolve) => {
    window.showQuickPick.mockImplementationOnce(async (offered: Promise<readonly Item[]>) => {
      const items = await offered;
      resolve(items.map((item) => item.label));
      return items.find((item) => label.test(item.label));
    });
  });
}

beforeEach(() => {
  resetFake();
  window.showQuickPick.mockReset();
  window.showOpenDialog.mockReset();
  files.length = 0;
  Object.assign(workspace, { findFiles: () => Promise.resolve(files.map((file) => Uri.file(file))) });
});

test('without a folder or a script there is still a way to one', async () => {
  const labels = choose(/Browse…/u);
  window.showOpenDialog.mockResolvedValueOnce([Uri.file('/jobs/train.py')]);
  expect(await pickTarget(remembered)).toEqual({ kind: 'script', path: '/jobs/train.py' });
  expect(await labels).toEqual(['$(folder-opened) Browse…']);
});

test('who leaves the dialog has chosen nothing', async () => {
  void choose(/Browse…/u);
  window.showOpenDialog.mockResolvedValueOnce(undefined);
  expect(await pickTarget(remembered)).toBeUndefined();
});

test('the way stands below the files of the workspace', async () => {
  files.push('/w/eval.py');
  const labels = choose(/eval\.py/u);
  expect(await pickTarget(remembered)).toEqual({ kind: 'script', path: '/w/eval.py' });
  expect(await labels).toEqual(['Python files', '$(file-code) eval.py', '$(folder-opened) Browse…']);
  expect(window.showOpenDialog).not.toHaveBeenCalled();
});
