import { describe, expect, test } from 'vitest';
import { calleesOf, callersOf, lineKey, linesOf } from '../../../../extension/webview/panels/flame/lines';
import {
  type FlameNode,
  flameTree,
  mainPath,
  phaseOf,
  phaseShares,
  together,
} from '../../../../extension/webview/panels/flame/tree';
import { divisorOf, quantityOf, readout } from '../../../../extension/webview/panels/flame/words';
import { aFlameRow, flameRecord, flameRows, MS } from './madeFlame';
import { anExtent } from '../shared/madeExtents';

const tree = (inTime = false, rows = flameRows()) => flameTree(flameRecord({ rows }), inTime);

function nodeOf(key: string, of = tree()): FlameNode {
  const node = of.byKey.get(key);
  if (node === undefined) {
    throw new Error(`No node ${key}`);
  }
  return node;
}

describe('the tree', () => {
  test('has all rows below one root, which has the whole', () => {
    const { root } = tree();
    expect(root.inclusive).toBe(100 * MS);
    expect(root.children.map(({ name }) => name)).toEqual(['main', 'Without source']);
    expect(nodeOf('layer/dot').parent?.parent?.key).toBe('main');
    expect(phaseShares(root)).toMatchObject({ forward: 0.6, backward: 0.3, other: 0.1 });
  });

  test('has siblings in the order in which they first ran, on demand', () => {
    const keys = (inTime: boolean) => nodeOf('main', tree(inTime)).children.map(({ key }) => key);
    expect(keys(false)).toEqual(['layer', 'loss']);
    expect(keys(true)).toEqual(['loss', 'layer']);
    expect(tree(true).root.children.map(({ key }) => key)).toEqual(['bare', 'main']);
  });

  test('gives a node the colour of a phase that nearly all of it has', () => {
    expect(phaseOf(nodeOf('layer'))).toBe('forward');
    expect(phaseOf(nodeOf('loss'))).toBe('backward');
    expect(phaseOf(nodeOf('main'))).toBeNull();
  });

  test('has a main path of nodes with more than half of all', () => {
    const keys = (rows = flameRows()) => mainPath(tree(false, rows).root).map(({ key }) => key);
    expect(keys()).toEqual(['', 'main', 'layer']);
    expect(keys(flameRows().filter(({ key }) => key === 'bare'))).toEqual(['']);
  });

  test('counts what was found below what was found once', () => {
    const of = tree();
    expect(together(new Set([nodeOf('layer', of), nodeOf('layer/dot', of)]))).toBe(60 * MS);
    expect(together(new Set([nodeOf('layer', of), nodeOf('layer/dot', of), nodeOf('loss/dot', of)]))).toBe(70 * MS);
    expect(together(new Set())).toBe(0);
  });
});

describe('lines', () => {
  test('have what all stacks through them have', () => {
    const lines = linesOf(tree().root).map(({ name, line, self, inclusive }) => [
      name,
      line,
      self / MS,
      inclusive / MS,
    ]);
    expect(lines).toEqual([
      ['main', 1, 0, 90],
      ['dot', 5, 60, 60],
      ['layer', 2, 10, 60],
      ['loss', 3, 20, 30],
      ['Without source', null, 10, 10],
    ]);
  });

  test('have the phases of all stacks through them', () => {
    const of = tree();
    const [, dot] = linesOf(of.root);
    expect(dot?.phases).toEqual({ forward: 50 * MS, backward: 10 * MS });
    expect(nodeOf('layer/dot', of).phases).toEqual({ forward: 50 * MS });
  });

  test('of which one calls itself count a stack once', () => {
    const rows = [
      aFlameRow('a', null, { inclusive_value: 10 * MS }),
      aFlameRow('b', 'a', { line: 2, inclusive_value: 10 * MS }),
      aFlameRow('c', 'b', { line: 1, self_value: 4 * MS, inclusive_value: 10 * MS }),
      aFlameRow('d', 'c', { line: 2, self_value: 6 * MS }),
    ];
    const { root } = flameTree(flameRecord({ rows, total: 10 * MS }), false);
    expect(linesOf(root).map(({ line, self, inclusive }) => [line, self / MS, inclusive / MS])).toEqual([
      [2, 6, 10],
      [1, 4, 10],
    ]);
    const key = lineKey(root.children[0] as FlameNode);
    expect(callersOf(root, key).map(({ node, value }) => [node.line, value / MS])).toEqual([[2, 10]]);
    expect(calleesOf(root, key).map(({ node, value }) => [node.line, value / MS])).toEqual([[2, 10]]);
  });

  test('know who calls them and whom they call, the greatest first', () => {
    const { root, byKey } = tree();
    const calls = (of: typeof callersOf, key: string) =>
      of(root, lineKey(byKey.get(key) as FlameNode)).map(({ node, value }) => [node.name, value / MS]);
    expect(calls(callersOf, 'loss/dot')).toEqual([
      ['layer', 50],
      ['loss', 10],
    ]);
    expect(calls(calleesOf, 'main')).toEqual([
      ['layer', 60],
      ['loss', 30],
    ]);
    expect(calls(callersOf, 'main')).toEqual([]);
    expect(calls(calleesOf, 'layer/dot')).toEqual([]);
  });

  test('of a stack of thousands of frames are found', () => {
    const deep = Array.from({ length: 20_000 }, (_, at) =>
      aFlameRow(String(at), at === 0 ? null : String(at - 1), { line: at % 7, inclusive_value: MS }),
    );
    expect(linesOf(tree(false, deep).root)).toHaveLength(7);
  });
});

describe('numbers', () => {
  test('are per step and device where steps are shown, and say so in full', () => {
    const record = flameRecord({ extent: anExtent({ duration_ps: 50 * MS, devices: 2 }) });
    expect(divisorOf(record)).toBe(10);
    expect(quantityOf(record).text(60 * MS)).toBe('6.00 ms');
    expect(quantityOf(record).exact(60 * MS)).toContain('per step and device');
    expect(divisorOf({ ...record, unit: 'bytes' })).toBe(1);
  });

  test('of a node in one line', () => {
    const of = tree();
    expect(readout(nodeOf('layer', of), of.root, quantityOf(flameRecord()))).toBe(
      'forward · model.py:2 · 60.0 ms, 60.0 % · self 10.0 ms',
    );
  });
});
