// A change in words and colours: always with its sign, and never by colour alone.

import { describe, expect, test } from 'vitest';
import { changeInWords } from '../../../../../extension/webview/shared/comparison/columns';
import {
  type Change,
  changeArrow,
  changeInFull,
  changeOfAll,
  changeOfNode,
  changeOfRow,
  changeText,
} from '../../../../../extension/webview/shared/comparison/change';
import { Gone, goneNodes, goneRows } from '../../../../../extension/webview/shared/comparison/gone';
import {
  DIRECTIONS,
  tintOf,
  TINT_COLOURS,
  TINT_HATCHES,
} from '../../../../../extension/webview/shared/comparison/tint';
import { TIME } from '../../../../../extension/webview/shared/text/quantities';
import { aComparedNode, aComparedRow } from '../madeChanges';
import { MS } from '../madeOps';

const aChange = (changes: Partial<Change> = {}): Change => ({
  ...changeOfNode(aComparedNode({ before: 10 * MS, after: 14_100_000_000 })),
  ...changes,
});

describe('the text of a change', () => {
  test.each([
    [aChange(), '+4.10 ms', '▲'],
    [aChange({ change: -4.1 * MS, verdict: 'better' }), '−4.10 ms', '▼'],
    [aChange({ verdict: 'cannot-tell' }), '+4.10 ms ±', ''],
    [aChange({ verdict: 'same' }), '+4.10 ms', '='],
    [aChange({ change: 0, verdict: 'cannot-tell' }), '=', ''],
    [aChange({ verdict: 'only-after' }), 'new +4.10 ms', '▲'],
    [aChange({ change: -10 * MS, verdict: 'only-before' }), 'gone −10.0 ms', '▼'],
  ])('has its sign, and a mark where nothing tells', (change, text, arrow) => {
    expect(changeText(change, TIME)).toBe(text);
    expect(changeArrow(change)).toBe(arrow);
  });

  test('says in full what is known: both values, the interval, what would have been seen, what it rests on', () => {
    const change = aChange({ interval: [3 * MS, 5 * MS], visible: 0.5 * MS, visible_ratio: 0.05 });
    const lines = changeInFull(change, TIME).split('\n');
    expect(lines).toEqual([
      '10 ms before, 14.1 ms after',
      '+4.1 ms (+41 %)',
      "more, by the device's clock",
      '95 %: +3.00 ms to +5.00 ms',
      'a change of 5.0 % would have been seen',
      'compared because of: the line is unchanged',
    ]);
  });
});

test('a mean over rounds is said to be one', () => {
  expect(changeInFull(aChange(), TIME, 5).split('\n')[1]).toBe('on average over 5 rounds');
  expect(changeInWords(aChange(), TIME, 5)).toMatch(/ · on average over 5 rounds$/);
  expect(changeInWords(aChange(), TIME)).not.toContain('average');
});

test('a percentage beside wall clock is of that, and any other says that it is of CPU time', () => {
  const row = aComparedRow({
    before_ps: 100 * MS,
    after_ps: 110 * MS,
    judged_by: 'cpu-time',
    judged_change_ratio: 0.3,
    interval_cpu_ps: [2 * MS, 4 * MS],
    visible_cpu_ps: 1 * MS,
    visible_ratio: 0.02,
  });
  const lines = changeInFull(changeOfRow(row), TIME).split('\n');
  expect(lines).toContain('+10 ms (+10 %)');
  for (const line of lines.filter((each) => /%/.test(each) && !each.includes('(+10 %)'))) {
    expect(line).toContain('CPU time');
  }
  expect(changeInFull(changeOfRow({ ...row, judged_by: 'wall-clock' }), TIME)).not.toContain('30 %');
});

test('what CPU time tells is said and drawn, whatever the wall clock did', () => {
  const change = aChange({ change: -2 * MS, judgedBy: 'cpu-time', told_ratio: 0.05 });
  expect(changeText(change, TIME)).toBe('−2.00 ms, CPU time +5.0 %');
  expect(changeText(change, TIME, true)).toBe('CPU time +5.0 %');
  expect(changeArrow(change)).toBe('▲');
  expect(tintOf(change, 100 * MS)).toMatchObject({ direction: 'more' });
  expect(changeText({ ...change, change: 2 * MS }, TIME)).toBe('+2.00 ms');
});

test('the change of several is the sum, and is told only where all of them are told alike or exactly', () => {
  const more = aChange();
  const less = aChange({ before: 10 * MS, after: 9 * MS, change: -1 * MS, verdict: 'better' });
  expect(changeOfAll([])).toBeNull();
  expect(changeOfAll([more])).toBe(more);
  expect(changeOfAll([more, more])).toMatchObject({ before: 20 * MS, change: 8_200_000_000, verdict: 'worse' });
  expect(changeOfAll([more, less])).toMatchObject({ before: 20 * MS, after: 23_100_000_000, verdict: 'cannot-tell' });
  const exact = [more, less].map((each) => ({ ...each, judgedBy: 'exact' as const }));
  expect(changeOfAll(exact)).toMatchObject({ verdict: 'worse' });
});

test('a row has its bytes where it has no time', () => {
  const row = aComparedRow({
    before_ps: null,
    after_ps: null,
    change_ps: null,
    before_bytes: 10,
    after_bytes: 12,
    change_bytes: 2,
  });
  expect(changeOfRow(row)).toMatchObject({ before: 10, after: 12, change: 2 });
});

describe('what is only before', () => {
  test('stands below the row that it was below, with all that was in it', () => {
    const gone = goneNodes([
      aComparedNode({ key: 'total', kind: 'total', before: 30, after: 10 }),
      aComparedNode({ key: 'kept', parent: 'total', before: 10, after: 10 }),
      aComparedNode({ key: 'lost', parent: 'total', label: 'loop fusion', kind: 'category', before: 20 }),
      aComparedNode({ key: 'op', parent: 'lost', label: 'add', before: 20 }),
    ]);
    expect([...gone.keys()]).toEqual(['total']);
    const [row] = gone.get('total') ?? [];
    expect(row).toBeInstanceOf(Gone);
    expect([row?.label, row?.change.change, row?.children.map(({ label }) => label)]).toEqual([
      'loop fusion',
      -20,
      ['add'],
    ]);
  });

  test('is named by the line where it was', () => {
    const row = aComparedRow({
      kind: 'line',
      label: 'step',
      after_ps: null,
      after_key: null,
      before_path: 'train.py',
      before_line: 7,
    });
    expect(goneRows([aComparedRow({}), row]).get(null)).toMatchObject([{ label: 'train.py:7 step' }]);
  });
});

describe('colours', () => {
  test('are as strong as a change is large, in its direction', () => {
    const whole = 100 * MS;
    expect(tintOf(aChange({ change: 10 * MS }), whole)).toEqual({ direction: 'more', strength: 1 });
    expect(tintOf(aChange({ change: -50 * MS, verdict: 'better' }), whole)).toEqual({ direction: 'less', strength: 1 });
    const [little, some] = [0.5, 4].map((ms) => tintOf(aChange({ change: ms * MS }), whole).strength);
    expect(little).toBeGreaterThan(0.1);
    expect(some).toBeGreaterThan(little ?? 1);
    expect(some).toBeLessThan(1);
    expect(tintOf(aChange({ change: 0 }), whole)).toEqual({ direction: 'same', strength: 0 });
    expect(tintOf(aChange(), 0).strength).toBeGreaterThan(0);
  });

  test('are told apart without colour: by a pattern, or a line of their own', () => {
    expect(tintOf(aChange({ verdict: 'cannot-tell' }), 100 * MS).direction).toBe('untold');
    expect(tintOf(aChange({ verdict: 'only-after' }), 100 * MS).direction).toBe('new');
    const patterns = (['more', 'less', 'new'] as const).map((direction) => TINT_HATCHES[direction]);
    expect(new Set(patterns).size).toBe(3);
    expect(TINT_COLOURS.more).not.toBe(TINT_COLOURS.less);
    expect(DIRECTIONS.every((direction) => TINT_COLOURS[direction].startsWith('--'))).toBe(true);
  });
});
