import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../../../../extension/webview/panels/graph/layout/layout';
import type { Layout, LayoutBox, LayoutRequest } from '../../../../../extension/webview/panels/graph/layout/request';
import { madeNode, programLike, shuffled } from './madeGraphs';

const boxesOf = ({ nodes, groups }: Layout): ReadonlyMap<string, LayoutBox> =>
  new Map([...nodes, ...groups].map((box) => [box.id, box]));

function boxOf(layout: Layout, id: string): LayoutBox {
  const box = boxesOf(layout).get(id);
  if (box === undefined) {
    throw new Error(`There is no box of ${id}.`);
  }
  return box;
}

const bottom = ({ top_px, height_px }: LayoutBox): number => top_px + height_px;
const right = ({ left_px, width_px }: LayoutBox): number => left_px + width_px;

function overlaps(one: LayoutBox, other: LayoutBox): boolean {
  const SLACK_PX = 0.001;
  return (
    one.left_px < right(other) - SLACK_PX &&
    other.left_px < right(one) - SLACK_PX &&
    one.top_px < bottom(other) - SLACK_PX &&
    other.top_px < bottom(one) - SLACK_PX
  );
}

function expectNoOverlaps(boxes: readonly LayoutBox[]): void {
  const found = boxes.flatMap((one, position) =>
    boxes.slice(position + 1).flatMap((other) => (overlaps(one, other) ? [`${one.id} and ${other.id}`] : [])),
  );
  expect(found).toEqual([]);
}

/** Ends of edges are at their boxes, and what is not turned goes downwards all the way. */
function expectSoundRoutes(layout: Layout, { edges }: LayoutRequest): void {
  const boxes = boxesOf(layout);
  for (const { edge, points_px, isBack, isStub } of layout.routes) {
    const from = boxes.get(edges[edge]?.from ?? '');
    const to = boxes.get(edges[edge]?.to ?? '');
    if (from === undefined || to === undefined) {
      throw new Error('An edge is drawn that has no ends.');
    }
    const heights = points_px.filter((_, place) => place % 2 === 1);
    if (!isBack) {
      expect(from.top_px).toBeLessThan(to.top_px);
      expect(heights[0]).toBeCloseTo(bottom(from));
      expect(heights.at(-1)).toBeCloseTo(to.top_px);
      expect(points_px[0]).toBeGreaterThanOrEqual(from.left_px);
      expect(points_px[0]).toBeLessThanOrEqual(right(from));
    }
    const inTurn = isBack ? heights.toReversed() : heights;
    expect(isStub ? [] : inTurn).toEqual(isStub ? [] : inTurn.toSorted((one, other) => one - other));
  }
}

describe('a layout', () => {
  test.each([1, 2, 3, 4])('of a program has boxes apart and edges downwards (%i)', (seed) => {
    const request = programLike(120, seed);
    const layout = layoutOf(request);
    expect(layout.nodes).toHaveLength(120);
    expectNoOverlaps(layout.nodes);
    expectSoundRoutes(layout, request);
    expect(layout.routes.length).toBe(request.edges.length);
    expect(layout.routes.every(({ isBack }) => !isBack)).toBe(true);
  });

  test('does not depend on the order of what is asked for', () => {
    const request = programLike(150, 5);
    const mixed = shuffled(request, 6);
    const [one, other] = [layoutOf(request), layoutOf(mixed)];
    expect(other.nodes).toEqual(one.nodes);
    const ways = (layout: Layout, { edges }: LayoutRequest): readonly string[] =>
      layout.routes.map(({ edge, points_px }) => JSON.stringify([edges[edge], points_px])).sort();
    expect(ways(other, mixed)).toEqual(ways(one, request));
    expect(layoutOf(request)).toEqual(one);
  });

  test('of 400 nodes is whole, and about as wide as a page', () => {
    const layout = layoutOf(programLike(400, 7));
    expect(layout.nodes).toHaveLength(400);
    expectNoOverlaps(layout.nodes);
    for (const box of layout.nodes) {
      expect(box.left_px).toBeGreaterThanOrEqual(-0.001);
      expect(right(box)).toBeLessThanOrEqual(layout.width_px + 0.001);
      expect(bottom(box)).toBeLessThanOrEqual(layout.height_px + 0.001);
    }
  });

  test('puts what uses nothing just above what uses it, where it is a constant', () => {
    const chain = ['a', 'b', 'c', 'd'].map((id, order) => madeNode(id, { order }));
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'd' },
      { from: 'constant', to: 'd' },
    ];
    const layout = layoutOf({ nodes: [...chain, madeNode('constant', { order: 9, sinks: true })], edges, groups: [] });
    expect(boxOf(layout, 'constant').top_px).toBe(boxOf(layout, 'c').top_px);
  });

  test('breaks cycles against the order of the program, and says so', () => {
    const nodes = ['a', 'b', 'c'].map((id, order) => madeNode(id, { order }));
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'a' },
    ];
    const layout = layoutOf({ nodes, edges, groups: [] });
    expect(layout.routes.filter(({ isBack }) => isBack).map(({ edge }) => edge)).toEqual([2]);
    expectSoundRoutes(layout, { nodes, edges, groups: [] });
    const back = layout.routes.find(({ isBack }) => isBack);
    expect(back?.points_px[1]).toBeCloseTo(boxOf(layout, 'c').top_px);
    expect(back?.points_px.at(-1)).toBeCloseTo(bottom(boxOf(layout, 'a')));
  });

  test('turns as few edges as it can: those of a node that all others have edges to and from', () => {
    const request = programLike(40, 11);
    const rest = madeNode('rest', { order: 40 });
    const edges = [
      ...request.edges,
      ...['op 3', 'op 9', 'op 21'].map((from) => ({ from, to: 'rest' })),
      ...['op 5', 'op 30'].map((to) => ({ from: 'rest', to })),
    ];
    const { routes } = layoutOf({ nodes: [...request.nodes, rest], edges, groups: [] });
    const back = routes.filter(({ isBack }) => isBack).map(({ edge }) => edges[edge]);
    expect(back.length).toBeLessThanOrEqual(3);
    expect(back.every((edge) => edge?.from === 'rest' || edge?.to === 'rest')).toBe(true);
  });

  test('has what is around all others above them: what they end with goes back there', () => {
    const request = programLike(30, 12);
    const edges = [
      ...request.edges,
      ...['op 0', 'op 4'].map((to) => ({ from: 'loop', to })),
      ...['op 20', 'op 29'].map((from) => ({ from, to: 'loop' })),
    ];
    const loop = madeNode('loop', { order: 99, isFirst: true });
    const layout = layoutOf({ nodes: [...request.nodes, loop], edges, groups: [] });
    const back = layout.routes.filter(({ isBack }) => isBack).map(({ edge }) => edges[edge]?.to);
    expect(back).toEqual(['loop', 'loop']);
    expect(boxOf(layout, 'loop').top_px).toBeLessThan(boxOf(layout, 'op 0').top_px);
  });

  test('draws very long edges as two stubs', () => {
    const nodes = Array.from({ length: 30 }, (_, order) => madeNode(`op ${String(order)}`, { order }));
    const steps = nodes.slice(1).map(({ id }, before) => ({ from: nodes[before]?.id ?? '', to: id }));
    const layout = layoutOf({ nodes, edges: [...steps, { from: 'op 0', to: 'op 29' }], groups: [] });
    expect(layout.routes.filter(({ isStub }) => isStub).map(({ edge }) => edge)).toEqual([29]);
  });

  test('of many that nothing links is a block', () => {
    const nodes = Array.from({ length: 100 }, (_, order) => madeNode(`op ${String(order)}`, { order }));
    const layout = layoutOf({ nodes, edges: [], groups: [] });
    expectNoOverlaps(layout.nodes);
    expect(layout.width_px / layout.height_px).toBeLessThan(4);
    expect(layout.width_px / layout.height_px).toBeGreaterThan(0.5);
  });

  test('of nothing is nothing', () => {
    expect(layoutOf({ nodes: [], edges: [], groups: [] })).toEqual({
      nodes: [],
      groups: [],
      routes: [],
      width_px: 0,
      height_px: 0,
    });
  });
});

describe('what does not make sense', () => {
  test('is left out: edges to itself and to what is not there; of two edges both are drawn', () => {
    const request: LayoutRequest = {
      nodes: [madeNode('a'), madeNode('b', { order: 1 }), madeNode('a', { order: 5, width_px: 999 })],
      edges: [
        { from: 'a', to: 'a' },
        { from: 'a', to: 'nowhere' },
        { from: '', to: 'b' },
        { from: 'a', to: 'b' },
        { from: 'a', to: 'b' },
      ],
      groups: [],
    };
    const layout = layoutOf(request);
    expect(layout.nodes.map(({ id, width_px }) => [id, width_px])).toEqual([
      ['a', 160],
      ['b', 160],
    ]);
    expect(layout.routes.map(({ edge }) => edge)).toEqual([3, 4]);
    const [one, other] = layout.routes;
    expect(one?.points_px[0]).not.toBe(other?.points_px[0]);
  });

  test('of groups neither: a group in itself, one that is not there, one without members, an edge to its own member', () => {
    const layout = layoutOf({
      nodes: [madeNode('a', { group: 'nowhere' }), madeNode('b', { group: 'one' })],
      groups: [
        { id: 'one', group: 'two', order: 0, title_width_px: 100 },
        { id: 'two', group: 'one', order: 1, title_width_px: 100 },
        { id: 'empty', group: null, order: 2, title_width_px: 100 },
      ],
      edges: [
        { from: 'two', to: 'b' },
        { from: 'b', to: 'one' },
        { from: 'a', to: 'empty' },
      ],
    });
    expect(layout.nodes).toHaveLength(2);
    expect(layout.groups).toHaveLength(3);
    expect(layout.routes.map(({ edge }) => edge)).toEqual([2]);
    expect(JSON.stringify(layout)).not.toContain('null');
  });
});

describe('opened groups', () => {
  const made = programLike(60, 8);
  const closed = { ...made, nodes: made.nodes.map((node) => (node.id === 'op 30' ? { ...node, sinks: false } : node)) };
  const opened = (count: number): LayoutRequest => {
    const width_px = closed.nodes.find(({ id }) => id === 'op 30')?.width_px ?? 0;
    const inside = programLike(count, 9);
    const rename = (id: string): string => `inside ${id}`;
    const entry = closed.edges.filter(({ to }) => to === 'op 30');
    const exit = closed.edges.filter(({ from }) => from === 'op 30');
    return {
      nodes: [
        ...closed.nodes.filter(({ id }) => id !== 'op 30'),
        ...inside.nodes.map((node) => ({ ...node, id: rename(node.id), group: 'op 30' })),
      ],
      groups: [{ id: 'op 30', group: null, order: 30, title_width_px: width_px }],
      edges: [
        ...closed.edges.filter(({ from, to }) => from !== 'op 30' && to !== 'op 30'),
        ...inside.edges.map(({ from, to }) => ({ from: rename(from), to: rename(to) })),
        ...entry.map(({ from }) => ({ from, to: rename('op 3') })),
        ...exit.map(({ to }) => ({ from: rename(`op ${String(count - 1)}`), to })),
      ],
    };
  };

  test('are boxes about their members and about nothing else', () => {
    const request = opened(20);
    const layout = layoutOf(request);
    const group = boxOf(layout, 'op 30');
    const inside = layout.nodes.filter(({ id }) => id.startsWith('inside'));
    expectNoOverlaps(inside);
    expectNoOverlaps([...layout.nodes.filter(({ id }) => !id.startsWith('inside')), group]);
    for (const box of inside) {
      expect(box.left_px).toBeGreaterThan(group.left_px);
      expect(right(box)).toBeLessThan(right(group));
      expect(box.top_px).toBeGreaterThan(group.top_px);
      expect(bottom(box)).toBeLessThan(bottom(group));
    }
    expectSoundRoutes(layout, request);
    expect(layout.routes).toHaveLength(request.edges.length);
  });

  test('move no other box by more than their size, and none to another layer', () => {
    const [before, after] = [layoutOf(closed), layoutOf(opened(20))];
    const group = boxOf(after, 'op 30');
    for (const box of before.nodes.filter(({ id }) => id !== 'op 30')) {
      const now = boxOf(after, box.id);
      expect(Math.abs(now.left_px - box.left_px)).toBeLessThanOrEqual(group.width_px);
      expect(Math.abs(now.top_px - box.top_px)).toBeLessThanOrEqual(group.height_px);
    }
    const layers = (layout: Layout): readonly string[] =>
      layout.nodes
        .filter(({ id }) => !id.startsWith('inside') && id !== 'op 30')
        .toSorted((one, other) => one.top_px - other.top_px || one.left_px - other.left_px)
        .map(({ id }) => id);
    expect(layers(after)).toEqual(layers(before));
  });

  test('are inside each other', () => {
    const request: LayoutRequest = {
      nodes: [
        madeNode('a'),
        madeNode('b', { order: 1, group: 'inner' }),
        madeNode('c', { order: 2, group: 'inner' }),
        madeNode('d', { order: 3, group: 'outer' }),
        madeNode('e', { order: 4 }),
      ],
      groups: [
        { id: 'inner', group: 'outer', order: 1, title_width_px: 300 },
        { id: 'outer', group: null, order: 1, title_width_px: 100 },
      ],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
        { from: 'c', to: 'd' },
        { from: 'c', to: 'e' },
        { from: 'a', to: 'inner' },
        { from: 'inner', to: 'e' },
      ],
    };
    const layout = layoutOf(request);
    const [outer, inner] = [boxOf(layout, 'outer'), boxOf(layout, 'inner')];
    expect(layout.groups.map(({ id }) => id)).toEqual(['outer', 'inner']);
    expect(inner.width_px).toBeGreaterThanOrEqual(300);
    expect(inner.left_px).toBeGreaterThan(outer.left_px);
    expect(bottom(inner)).toBeLessThan(bottom(outer));
    expectSoundRoutes(layout, request);
    expect(layout.routes).toHaveLength(6);
  });
});
