import { describe, expect, test } from 'vitest';
import {
  type Cell,
  cellAt,
  cellHolding,
  type Direction,
  icicle,
  MOST_LEVELS,
  NARROWEST_CELL_PX,
  neighbour,
} from '../../../../extension/webview/shared/charts/icicle/geometry';
import { type FlopsNode, measured, type Measure, phaseShares } from '../../../../extension/webview/panels/flops/tree';
import { commonAbove, heaviest, treeOf } from '../../../../extension/webview/shared/table/tree';
import { aFlopsRow, flopsRows, GFLOP, MS } from '../flops/madeFlops';

const by = (measure: Measure) => (node: FlopsNode) => measured(node, measure);
const inFlops = by('flops');

const tree = () => treeOf(flopsRows());

function nodeOf(key: string, of = tree()): FlopsNode {
  const node = of.byKey.get(key);
  if (node === undefined) {
    throw new Error(`No node ${key}`);
  }
  return node;
}

/** A tree of some depth whose amounts are of many magnitudes, the same each time. */
function manyRows(seed: number) {
  let state = seed;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const rows = [aFlopsRow('root', 0, { kind: 'model', flops: 0 })];
  const sums = [0];
  const grow = (at: string, depth: number, row: number): number => {
    let sum = 0;
    const children = 1 + Math.floor(random() * 12);
    for (let child = 0; child < children; child += 1) {
      const key = `${at}/${String(child)}`;
      const index = rows.push(aFlopsRow(key, depth, { flops: null })) - 1;
      const own = Math.floor(10 ** (random() * 9));
      const below = depth < 4 && random() < 0.4 ? grow(key, depth + 1, index) : own;
      rows[index] = aFlopsRow(key, depth, { flops: below });
      sum += below;
    }
    sums[row] = sum;
    return sum;
  };
  const whole = grow('root', 1, 0);
  rows[0] = aFlopsRow('root', 0, { kind: 'model', flops: whole });
  return rows;
}

const end = ({ x_px, width_px }: Cell<FlopsNode>): number => x_px + width_px;
const isBelow = (cell: Cell<FlopsNode>, above: Cell<FlopsNode>): boolean =>
  above.nodes === 1 && cell.node.parent === above.node;

describe('the tree', () => {
  test('is that of the depths', () => {
    const { roots } = tree();
    expect(roots.map(({ key }) => key)).toEqual(['model']);
    expect(roots[0]?.children.map(({ key }) => key)).toEqual(['model/block', 'model/loss']);
    expect(nodeOf('7/dot.3').parent?.key).toBe('model/loss');
  });

  test('knows what is above two nodes, the heaviest op of a line, and how phases share it', () => {
    const of = tree();
    expect(commonAbove(nodeOf('7/dot.1', of), nodeOf('7/dot.2', of))?.key).toBe('model/block');
    expect(commonAbove(nodeOf('7/dot.1', of), nodeOf('7/dot.3', of))?.key).toBe('model');
    const onLine = (line: number) => heaviest(of.byKey.values(), (node) => node.kind === 'op' && node.line === line);
    expect(onLine(9)?.key).toBe('7/dot.3');
    expect(onLine(90)).toBeNull();
    expect(phaseShares(nodeOf('model', of), 'flops')).toMatchObject({ forward: 0.7, recompute: 0.3, optimizer: 0 });
    expect(phaseShares(nodeOf('7/custom.4', of), 'flops')).toMatchObject({ forward: 0, other: 0 });
  });

  test('counts what a fusion computes again as recomputed, as the recompute share of the row does', () => {
    const { roots } = treeOf([
      aFlopsRow('model', 0, { kind: 'model', flops: 10 * GFLOP, model_flops: 6 * GFLOP, recompute_ratio: 0.4 }),
      aFlopsRow('7/dot.1', 1, { phase: 'recompute', flops: 3 * GFLOP, model_flops: 0, recompute_ratio: 1 }),
      aFlopsRow('7/fusion.2', 1, {
        phase: 'backward',
        flops: 7 * GFLOP,
        model_flops: 6 * GFLOP,
        recompute_ratio: 1 / 7,
      }),
    ]);
    const [model] = roots;
    expect(phaseShares(model as FlopsNode, 'flops')).toMatchObject({ recompute: 0.4, backward: 0.6 });
    expect(phaseShares(model as FlopsNode, 'model_flops')).toMatchObject({ recompute: 0, backward: 1 });
    expect(phaseShares(model as FlopsNode, 'self_ps')).toMatchObject({ recompute: 0.5, backward: 0.5 });
  });
});

describe('the icicle', () => {
  test('gives every node its part of the width, the greatest first', () => {
    const { levels } = icicle(nodeOf('model'), inFlops, 1000);
    expect(levels.map((level) => level.map(({ node, x_px, width_px }) => [node.key, x_px, width_px]))).toEqual([
      [['model', 0, 1000]],
      [
        ['model/block', 0, 800],
        ['model/loss', 800, 200],
      ],
      [
        ['7/dot.1', 0, 500],
        ['7/dot.2', 500, 300],
        ['7/dot.3', 800, 200],
      ],
    ]);
  });

  test('gives them their part of the time, or of the model FLOPs, on demand', () => {
    const widths = (measure: 'self_ps' | 'model_flops') =>
      icicle(nodeOf('model'), by(measure), 1000).levels[1]?.map(({ width_px }) => Math.round(width_px));
    expect(widths('self_ps')).toEqual([500, 500]);
    // 5 + 2 of 7.
    expect(widths('model_flops')).toEqual([714, 286]);
  });

  test('leaves the width that the scopes do not account for empty', () => {
    const rows = [aFlopsRow('m', 0, { flops: 10 * GFLOP }), aFlopsRow('a', 1, { flops: 4 * GFLOP })];
    expect(icicle(nodeOf('m', treeOf(rows)), inFlops, 100).levels[1]).toMatchObject([{ x_px: 0, width_px: 40 }]);
  });

  test('never draws more than there is, also where parts are more than the whole', () => {
    const rows = [
      aFlopsRow('m', 0, { flops: GFLOP }),
      aFlopsRow('a', 1, { flops: 3 * GFLOP }),
      aFlopsRow('b', 1, { flops: 1 * GFLOP }),
    ];
    expect(icicle(nodeOf('m', treeOf(rows)), inFlops, 100).levels[1]).toMatchObject([
      { x_px: 0, width_px: 75 },
      { x_px: 75, width_px: 25 },
    ]);
  });

  test.each([1, 2, 3, 4, 5])('overlaps nowhere, loses nothing, and draws nothing too narrow (tree %d)', (seed) => {
    const of = treeOf(manyRows(seed));
    const shape = icicle(nodeOf('root', of), inFlops, 900);
    for (const [at, level] of shape.levels.entries()) {
      for (const [position, cell] of level.entries()) {
        expect(cell.x_px).toBeGreaterThanOrEqual(
          position === 0 ? 0 : end(level[position - 1] as Cell<FlopsNode>) - 1e-6,
        );
        const below = (shape.levels[at + 1] ?? []).filter((each) => isBelow(each, cell));
        if (below.length > 0) {
          expect(below[0]?.x_px).toBeCloseTo(cell.x_px, 6);
          expect(end(below.at(-1) as Cell<FlopsNode>)).toBeCloseTo(end(cell), 6);
          expect(below.reduce((sum, { amount }) => sum + amount, 0)).toBe(cell.amount);
          expect(below.reduce((sum, { nodes }) => sum + nodes, 0)).toBe(cell.node.children.length);
          // Only the last of a scope may be narrower: it stands for the rest.
          expect(below.slice(0, -1).every(({ width_px }) => width_px >= NARROWEST_CELL_PX)).toBe(true);
        }
      }
    }
  });

  test('finds each cell by any place in it, and none beside it', () => {
    const shape = icicle(nodeOf('root', treeOf(manyRows(6))), inFlops, 900);
    for (const cell of shape.levels.flat().filter(({ width_px }) => width_px > 0.01)) {
      expect(cellAt(shape, cell.x_px + cell.width_px / 2, cell.level)).toBe(cell);
    }
    expect(cellAt(shape, 450, shape.levels.length)).toBeNull();
    expect(cellAt(shape, 901, 0)).toBeNull();
  });

  test('zoomed to a scope gives it the whole width', () => {
    const [top] = icicle(nodeOf('model/loss'), inFlops, 640).levels;
    expect(top).toMatchObject([{ x_px: 0, width_px: 640, node: { key: 'model/loss' } }]);
  });

  test('of a single chain is as deep as is drawn at once, and no deeper', () => {
    const rows = Array.from({ length: 20_000 }, (_, depth) => aFlopsRow(`s${String(depth)}`, depth));
    const shape = icicle(nodeOf('s0', treeOf(rows)), inFlops, 500);
    expect(shape.levels).toHaveLength(MOST_LEVELS);
  });

  test('of 30,000 ops has no more cells than there is room for', () => {
    const ops = Array.from({ length: 30_000 }, (_, index) =>
      aFlopsRow(`op.${String(index)}`, 1, { flops: GFLOP, self_ps: MS }),
    );
    const root = aFlopsRow('model', 0, { kind: 'model', flops: 30_000 * GFLOP });
    const { levels } = icicle(nodeOf('model', treeOf([root, ...ops])), inFlops, 1400);
    expect(levels[1]).toMatchObject([{ nodes: 30_000, width_px: 1400 }]);
  });

  test('marks a node where it is drawn: alone, among the smaller ones, or in what is above it', () => {
    const of = treeOf([
      aFlopsRow('m', 0, { flops: 1000 * GFLOP }),
      aFlopsRow('wide', 1, { flops: 998 * GFLOP }),
      aFlopsRow('small', 1),
      aFlopsRow('smaller', 1),
      aFlopsRow('unknown', 1, { flops: null }),
    ]);
    const shape = icicle(nodeOf('m', of), inFlops, 1000);
    const holding = (key: string) => cellHolding(shape, nodeOf(key, of), inFlops);
    expect(holding('wide')).toMatchObject({ nodes: 1, x_px: 0, width_px: 998 });
    expect(holding('smaller')).toMatchObject({ nodes: 2, x_px: 998, width_px: 2, amount: 2 * GFLOP });
    expect(holding('unknown')?.node.key).toBe('m');
    const elsewhere = icicle(nodeOf('wide', of), inFlops, 1000);
    expect(cellHolding(elsewhere, nodeOf('small', of), inFlops)).toBeNull();
  });

  test('is walked along a level, up, and down to the widest', () => {
    const of = tree();
    const shape = icicle(nodeOf('model', of), inFlops, 1000);
    const from = (key: string, direction: Direction) => neighbour(shape, nodeOf(key, of), direction)?.key;
    expect(from('7/dot.1', 'right')).toBe('7/dot.2');
    expect(from('7/dot.2', 'right')).toBe('7/dot.3');
    expect(from('7/dot.3', 'left')).toBe('7/dot.2');
    expect(from('7/dot.1', 'left')).toBeUndefined();
    expect(from('7/dot.2', 'above')).toBe('model/block');
    expect(from('model/block', 'below')).toBe('7/dot.1');
    expect(from('7/dot.1', 'below')).toBeUndefined();
  });
});
