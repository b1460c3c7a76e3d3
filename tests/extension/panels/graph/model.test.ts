import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../../../extension/webview/panels/graph/layout/layout';
import { layoutRequest } from '../../../../extension/webview/panels/graph/model/boxes';
import { consumersOf, modelOf, producersOf } from '../../../../extension/webview/panels/graph/model/model';
import {
  amountOf,
  figureText,
  fullAt,
  isWithoutEstimate,
  overlaysOf,
} from '../../../../extension/webview/panels/graph/model/overlays';
import { readout, selectionOf, titleOf } from '../../../../extension/webview/panels/graph/model/words';
import { nextNode } from '../../../../extension/webview/panels/graph/picture/walking';
import { showBasisOf } from '../../../../extension/webview/shared/text/basis';
import type { GraphNode } from '../../../../extension/src/protocol';
import { anExtent, aWindow } from '../shared/madeExtents';
import { aGraph, aNode, anEdge, opsGraph } from './madeGraph';

describe('the model', () => {
  test('has what makes and what uses, those with the most bytes first, and no edges to what is not there', () => {
    const model = modelOf(
      aGraph({
        edges: [anEdge('a', 'c', 1), anEdge('b', 'c', 5), anEdge('c', 'gone')],
        nodes: ['a', 'b', 'c'].map((key) => aNode(key)),
      }),
    );
    expect(producersOf(model, 'c').map(({ key }) => key)).toEqual(['b', 'a']);
    expect(consumersOf(model, 'c')).toEqual([]);
  });

  test('has opened nodes about what is in them', () => {
    expect([...modelOf(opsGraph()).groups]).toEqual(['fusion']);
    // A hub that is followed has nothing inside.
    expect(modelOf(aGraph({ nodes: [aNode('hub', { is_open: true, is_hub: true })] })).groups.size).toBe(0);
  });
});

describe('what is laid out', () => {
  test('is every node, in its group', () => {
    const graph = opsGraph();
    const { nodes, groups, edges } = layoutRequest(modelOf(graph));
    expect(nodes.length + groups.length).toBe(graph.nodes.length);
    expect(nodes.filter(({ group }) => group === 'fusion').map(({ id }) => id)).toEqual(['exp', 'sum', 'divide']);
    expect(edges).toHaveLength(graph.edges.length);
  });

  test('has lines as the program comes to them, whatever took longest: cycles are broken there', () => {
    const line = (key: string, number: number, phase: 'forward' | 'backward', self_ps: number) =>
      aNode(key, { kind: 'line', path: 'model.py', line: number, phase, self_ps });
    // The forward lines are used in turns, as in a loop over layers.
    const graph = aGraph({
      nodes: [
        line('b2', 2, 'backward', 9),
        line('f2', 2, 'forward', 8),
        line('f1', 1, 'forward', 7),
        line('b1', 1, 'backward', 6),
      ],
      edges: [anEdge('f2', 'f1'), anEdge('f1', 'f2'), anEdge('b1', 'b2'), anEdge('b2', 'b1'), anEdge('f2', 'b2')],
    });
    const { routes } = layoutOf(layoutRequest(modelOf(graph)));
    const back = routes.filter(({ isBack }) => isBack).map(({ edge }) => graph.edges[edge]);
    expect(back.map((edge) => [edge?.source, edge?.target])).toEqual([
      ['f2', 'f1'],
      ['b1', 'b2'],
    ]);
  });
});

describe('overlays', () => {
  test('compare amounts with the greatest that has a box, and shares with all', () => {
    const model = modelOf(opsGraph());
    expect(fullAt(model, 'time')).toBe(9e9);
    expect(fullAt(model, 'padding')).toBe(1);
    expect(amountOf(model.byKey.get('dot') ?? aNode(''), 'bytes')).toBe(180 * 2 ** 20);
  });

  test('offer memory, which is worked out when it is chosen', () => {
    const graph = aGraph({ overlays: ['bytes', 'time'] });
    expect(overlaysOf(graph, 'time')).toEqual(['time', 'bytes', 'memory']);
    expect(overlaysOf(graph, 'memory')).toEqual(['time', 'bytes']);
  });

  test('tell what a prediction has no estimate of from what takes no time', () => {
    const unknown = aNode('sort', { executions: 5 });
    const known = aNode('add', { executions: 5, self_ps: 0, share_ratio: 0, basis: 'predicted' });
    const text = (node: GraphNode) => figureText(node, 'time', anExtent());
    expect([isWithoutEstimate(unknown), text(unknown)]).toEqual([false, '']);
    showBasisOf({ predicted_for: 'TPU v5e', prediction: [] });
    try {
      expect([isWithoutEstimate(unknown), text(unknown)]).toEqual([true, 'no estimate']);
      expect([isWithoutEstimate(known), text(known)]).toEqual([false, '≈0.0 %']);
      // What was only opened, or ran as a part of others, has no executions of its own.
      expect(text(aNode('inside'))).toBe('');
    } finally {
      showBasisOf(null);
    }
  });

  test('say the worst that a TPU would do', () => {
    const judged = (refused: number, emulated: number) =>
      aNode('', { compatibility: { native: 9, emulated, on_host: 0, refused, unjudged: 1 } });
    expect(figureText(judged(2, 3), 'compatibility', anExtent())).toBe('2 refused');
    expect(figureText(judged(0, 3), 'compatibility', anExtent())).toBe('3 emulated');
    expect(figureText(judged(0, 0), 'compatibility', anExtent())).toBe('');
  });
});

describe('words', () => {
  const graph = opsGraph();
  const model = modelOf(graph);
  const node = (key: string) => model.byKey.get(key) ?? aNode('');

  test('name nodes as the other panels do', () => {
    expect(titleOf(node('dot'))).toBe('dot_general');
    expect(titleOf(node('rest'))).toBe('and 38 more');
    expect(titleOf(aGraph().nodes[0] ?? aNode(''))).toBe('train.py:31');
  });

  test('tell how much of its neighbours is here', () => {
    expect(readout(node('dot'), model, 'time')).toBe(
      'dot_general · decoder.py:41 · forward · 1.80 ms per step · 9.0 % · 2 in, 1 of 12 out · dot.7',
    );
    const whole = modelOf(opsGraph({ extent: aWindow(100) }));
    expect(readout(node('dot'), whole, 'time')).toContain('forward · 9.00 ms · 9.0 %');
    const onFour = modelOf(opsGraph({ extent: anExtent({ devices: 4 }) }));
    expect(readout(node('dot'), onFour, 'time')).toContain('450 µs per step and device');
    expect(readout(node('scan'), model, 'time')).toContain('24 passes');
    expect(readout(node('layers'), model, 'time')).toContain('×24');
    expect(readout(node('mask'), model, 'time')).toContain('not followed');
  });

  test('select what the other panels know', () => {
    expect(selectionOf(node('dot'))).toEqual({ kind: 'op', key: 'dot', file: '/w/model/decoder.py', line: 41 });
    expect(selectionOf(node('rest'))).toBeNull();
    expect(selectionOf(aGraph().nodes[0] ?? aNode(''))).toEqual({
      kind: 'line',
      file: '/w/model/train.py',
      line: 31,
    });
  });
});

describe('walking', () => {
  const model = modelOf(opsGraph());
  const layout = layoutOf(layoutRequest(model));
  const boxes = new Map([...layout.nodes, ...layout.groups].map((box) => [box.id, box]));

  test('goes along edges up and down, and to the sides in a layer', () => {
    expect(nextNode(model, boxes, 'norm', 'down')).toBe('dot');
    expect(nextNode(model, boxes, 'dot', 'down')).toBe('exp');
    expect(nextNode(model, boxes, 'exp', 'up')).toBe('dot');
    const beside = ['left', 'right'].map((side) => nextNode(model, boxes, 'scan', side as 'left'));
    expect(beside).toContain('layers');
  });

  test('goes down into an opened node and out of it below, up out of it to itself', () => {
    const around = modelOf(
      aGraph({
        nodes: [
          aNode('scope', { kind: 'scope', is_open: true }),
          ...['one', 'two'].map((key) => aNode(key, { parent: 'scope' })),
          aNode('after'),
        ],
        edges: [],
      }),
    );
    const box = (id: string, top_px: number, height_px = 40) => ({ id, left_px: 0, top_px, width_px: 200, height_px });
    const places = new Map(
      [box('scope', 0, 200), box('one', 40), box('two', 140), box('after', 240)].map((each) => [each.id, each]),
    );
    const walked = (from: string, direction: 'up' | 'down') => {
      const keys = [from];
      for (let key = nextNode(around, places, from, direction); key !== null && keys.length < 9;) {
        keys.push(key);
        key = nextNode(around, places, key, direction);
      }
      return keys;
    };
    expect(walked('scope', 'down')).toEqual(['scope', 'one', 'two', 'after']);
    expect(walked('two', 'up')).toEqual(['two', 'one', 'scope']);
  });

  test('reaches every node by arrow keys; an opened one is reached from what is in it', () => {
    const reached = new Set(['dot']);
    for (const key of reached) {
      for (const direction of ['up', 'down', 'left', 'right'] as const) {
        const next = nextNode(model, boxes, key, direction);
        if (next !== null) {
          reached.add(next);
        }
      }
    }
    expect([...reached].sort()).toEqual(layout.nodes.map(({ id }) => id).sort());
  });
});
