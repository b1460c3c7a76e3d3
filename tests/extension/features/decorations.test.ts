import { beforeAll, describe, expect, test } from 'vitest';
import { decorate } from '../../../extension/src/lines/decorations';
import { GAP_COLUMNS, loadWidths } from '../../../extension/src/lines/alignment';
import type { Annotation } from '../../../extension/src/protocol';

beforeAll(loadWidths);

function annotation(line: number, changes: Partial<Annotation> = {}): Annotation {
  const text = `▰▱▱▱▱ ${line}.0 %`;
  const common = {
    line,
    recorded_line: line,
    text,
    compact: `▰▱ ${line} %`,
    heat: 1,
    state: 'current',
    share_ratio: 0.01,
    inclusive: false,
    quiet: false,
  };
  return { ...common, ...changes } as Annotation;
}

function document(...lines: string[]) {
  return { lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line] ?? '' }) } as never;
}

describe('decorations', () => {
  test('stand behind the text of their lines, aligned', () => {
    const { current } = decorate([annotation(2), annotation(1)], document('abcdef', '\tab'), 4);
    expect(current.map(({ range }) => [range.start.line, range.end.line, range.end.character])).toEqual([
      [0, 0, 6],
      [1, 1, 3],
    ]);
    const after = current.map(({ renderOptions }) => renderOptions?.after);
    expect(after.map((each) => each?.contentText)).toEqual(['▰▱▱▱▱\u00A01.0\u00A0%', '▰▱▱▱▱\u00A02.0\u00A0%']);
    expect(after.map((each) => each?.margin)).toEqual([`0 0 0 ${GAP_COLUMNS}ch`, `0 0 0 ${GAP_COLUMNS}ch`]);
  });

  test('of stale lines are apart, in text and in mark', () => {
    const found = decorate(
      [annotation(1, { state: 'stale', heat: 5 }), annotation(2, { heat: 5 })],
      document('a', 'b'),
      4,
    );
    expect(found.stale.map(({ range }) => range.start.line)).toEqual([0]);
    expect(found.staleMarks.map(({ start }) => start.line)).toEqual([0]);
    expect(found.current.map(({ range }) => range.start.line)).toEqual([1]);
    expect(found.heats.map((ranges) => ranges.length)).toEqual([0, 0, 0, 0, 1]);
  });

  test('that nothing can be told is dimmed, and no mark', () => {
    const found = decorate([annotation(1, { text: '±', heat: 0, quiet: true })], document('a'), 4);
    expect(found.quiet.map(({ renderOptions }) => renderOptions?.after?.contentText)).toEqual(['±']);
    expect([found.current, found.stale, found.heats.flat()]).toEqual([[], [], []]);
  });

  test('of call sites have no mark', () => {
    const found = decorate([annotation(1, { heat: 0, inclusive: true })], document('f(x)'), 4);
    expect(found.current).toHaveLength(1);
    expect(found.heats.flat()).toEqual([]);
  });

  test('of lines that the document does not have are left out', () => {
    expect(decorate([annotation(0), annotation(3)], document('a', 'b'), 4).current).toEqual([]);
  });
});

describe('annotations at one column of the file', () => {
  test('begin there, or after the gap behind a line that reaches beyond it', () => {
    const lines = document('\tab', '# 学習率', 'x'.repeat(29), 'y'.repeat(27));
    const at = decorate(
      [1, 2, 3, 4].map((line) => annotation(line)),
      lines,
      4,
      { position: 'column', column: 30 },
    );
    const margins = at.current.map(({ renderOptions }) => renderOptions?.after?.margin);
    expect(margins).toEqual([24, 22, GAP_COLUMNS, GAP_COLUMNS].map((columns) => `0 0 0 ${columns}ch`));
    expect(at.left).toEqual([]);
  });
});

describe('annotations left of the code', () => {
  const place = { position: 'beforeLine' } as const;

  test('give every line the same room, stale ones apart', () => {
    const annotations = [annotation(2), annotation(3, { state: 'stale', compact: '○○○○· 100.0 %' })];
    const found = decorate(annotations, document('a', '\tb', 'c', ''), 4, place);
    expect(found.current).toEqual([]);
    expect(found.stale).toEqual([]);
    expect(found.left.map(({ range }) => [range.start.line, range.end.character])).toEqual([
      [0, 0],
      [1, 0],
      [3, 0],
    ]);
    expect(found.leftStale.map(({ range }) => range.start.line)).toEqual([2]);
    const before = [...found.left, ...found.leftStale].map(({ renderOptions }) => renderOptions?.before);
    expect(before.map((each) => each?.width)).toEqual(['16ch', '16ch', '16ch', '16ch']);
    expect(before.map((each) => each?.contentText)).toEqual([
      '\u00A0',
      '\u00A0▰▱\u00A02\u00A0%',
      '\u00A0',
      '\u00A0○○○○·\u00A0100.0\u00A0%',
    ]);
    // The marks of heat stay.
    expect(found.heats.flat()).toHaveLength(1);
    expect(found.staleMarks).toHaveLength(1);
  });

  test('that have no figure stand after their line, and make no column', () => {
    const found = decorate([annotation(1, { compact: null })], document('a', 'b'), 4, place);
    expect(found.left).toEqual([]);
    expect(found.current).toHaveLength(1);
  });
});
