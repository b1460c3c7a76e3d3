import { beforeEach, expect, test } from 'vitest';
import { runName, scriptName } from '../../../extension/src/runs/scriptNames';
import { runItem, RunsTree } from '../../../extension/src/runs/runsTree';
import { resetFake, Uri, workspace } from '../vscode';
import { aRun } from './aRun';

beforeEach(() => {
  resetFake();
  workspace.workspaceFolders = [{ uri: Uri.file('/w'), name: 'w', index: 0 }];
});

test('a script is called by its file, with the folder only where another has that name', () => {
  expect(scriptName('/w/a/train.py', [])).toBe('train.py');
  expect(scriptName('/w/a/train.py', ['/w/a/train.py', '/w/b/other.py'])).toBe('train.py');
  expect(scriptName('/w/a/train.py', ['/w/b/train.py'])).toBe('a/train.py');
});

test('as many folders are named as tell scripts apart', () => {
  const others = ['/w/one/jobs/train.py', '/w/two/jobs/train.py'];
  expect(others.map((each) => scriptName(each, others))).toEqual(['one/jobs/train.py', 'two/jobs/train.py']);
});

test('a script of the workspace folder itself has no folder to name, unless there are several', () => {
  expect(scriptName('/w/train.py', ['/w/a/train.py'])).toBe('train.py');
  expect(scriptName('/w/a/train.py', ['/w/train.py'])).toBe('a/train.py');
  workspace.workspaceFolders = [
    { uri: Uri.file('/w'), name: 'w', index: 0 },
    { uri: Uri.file('/v'), name: 'v', index: 1 },
  ];
  expect(scriptName('/w/train.py', ['/v/train.py'])).toBe('w/train.py');
});

test('a run is called by its script, its module or its folder', () => {
  expect(runName(aRun({ script: 'jobs/train.py' }), [])).toBe('train.py');
  expect(runName(aRun({ script: 'jobs.train', is_module: true }), [])).toBe('jobs.train');
  expect(runName(aRun({ script: null }), [])).toBe('20260101-000000-train');
});

test('runs of scripts of one name are told apart in the tree, by eye and by ear', async () => {
  const runs = ['a/train.py', 'b/train.py', 'other.py'].map((script) => aRun({ script, path: `/w/.s/${script}` }));
  const on = () => () => undefined;
  const nothing = { onDidChange: on, current: null, all: [], nodes: [] };
  const tree = new RunsTree(
    { get: () => Promise.resolve(runs), directories: [], experiments: [], onDidChange: on } as never,
    nothing as never,
    nothing as never,
    nothing as never,
  );
  const items = (await tree.getChildren()).map((node) => tree.getTreeItem(node));
  expect(items.map(({ label }) => label)).toEqual(['a/train.py', 'b/train.py', 'other.py']);
  expect(items[0]?.accessibilityInformation?.label).toMatch(/^a\/train\.py, /u);
  expect(runItem(aRun(), false, 'b/train.py').label).toBe('b/train.py');
});
