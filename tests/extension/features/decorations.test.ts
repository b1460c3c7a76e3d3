import { describe, expect, test } from 'vitest';
import { decorate } from '../../../extension/src/lines/decorations';
import { GAP_COLUMNS } from '../../../extension/src/lines/alignment';
import type { Annotation } from '../../../extension/src/protocol';

function annotation(line: number, changes: Partial<Annotation> = {}): Annotation {
  const text = `▰▱▱▱▱ ${line}.0 %`;
  const common = { line, recorded_line: line, text, heat: 1, state: 'current', share_ratio: 0.01, inclusive: false };
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

  test('of call sites have no mark', () => {
    const found = decorate([annotation(1, { heat: 0, inclusive: true })], document('f(x)'), 4);
    expect(found.current).toHaveLength(1);
    expect(found.heats.flat()).toEqual([]);
  });

  test('of lines that the document does not have are left out', () => {
    expect(decorate([annotation(0), annotation(3)], document('a', 'b'), 4).current).toEqual([]);
  });
});
