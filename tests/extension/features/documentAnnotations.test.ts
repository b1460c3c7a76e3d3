import { describe, expect, test } from 'vitest';
import { Range } from 'vscode';
import { changesLineCount, DocumentAnnotations, movesEnds } from '../../../extension/src/lines/documentAnnotations';
import type { TextChange } from '../../../extension/src/lines/documentAnnotations';
import type { Annotation } from '../../../extension/src/protocol';

const URI = 'file:///w/train.py';

function annotation(line: number): Annotation {
  const text = `note of line ${line}`;
  return {
    line,
    recorded_line: line,
    text,
    compact: null,
    heat: 3,
    state: 'current',
    share_ratio: 0.3,
    inclusive: false,
    quiet: false,
  };
}

function change(from: [number, number], to: [number, number], text: string): TextChange {
  return { range: new Range(from[0], from[1], to[0], to[1]), text };
}

/** Lines (1-based) and recorded lines after an edit of a document that carries something on `lines`. */
function after(lines: readonly number[], ...changes: TextChange[]): [number, number][] {
  const documents = new DocumentAnnotations();
  documents.receive({ uri: URI, version: 1, annotations: lines.map(annotation), file: null }, 1);
  documents.edit(URI, 2, changes);
  return documents.of(URI, 2).map((each) => [each.line, each.recorded_line]);
}

describe('between two words of the daemon, an annotation', () => {
  test('moves down with its line where lines are inserted above', () => {
    expect(after([3, 7], change([0, 0], [0, 0], 'import os\nimport sys\n'))).toEqual([
      [5, 3],
      [9, 7],
    ]);
  });

  test('moves down where a break is typed in front of its line, and stays where one is typed behind it', () => {
    expect(after([3], change([2, 0], [2, 0], '\n'))).toEqual([[4, 3]]);
    expect(after([3], change([2, 12], [2, 12], '\r\n    '))).toEqual([[3, 3]]);
  });

  test('is gone with its line, and those below move up', () => {
    expect(after([3, 5], change([2, 0], [3, 0], ''))).toEqual([[4, 5]]);
  });

  test('stays with the line whose text is left when lines are joined', () => {
    expect(after([3, 4], change([2, 10], [3, 4], ' '))).toEqual([[3, 3]]);
  });

  test('follows every change of an edit in several places', () => {
    const changes = [change([1, 0], [1, 0], 'a\n'), change([5, 0], [7, 0], ''), change([9, 0], [9, 0], 'b\nc\n')];
    expect(after([2, 5, 6, 9, 12], ...changes)).toEqual([
      [3, 2],
      [6, 5],
      [8, 9],
      [13, 12],
    ]);
  });

  test('never shares a line with another', () => {
    const lines = after([3, 4, 5], change([2, 5], [4, 0], 'x\n')).map(([line]) => line);
    expect(new Set(lines).size).toBe(lines.length);
  });
});

describe('the word of the daemon', () => {
  test('on an older text than the present one is not heeded', () => {
    const documents = new DocumentAnnotations();
    expect(documents.receive({ uri: URI, version: 4, annotations: [annotation(1)], file: null }, 5)).toBe(false);
    expect(documents.of(URI, 5)).toEqual([]);
    expect(documents.receive({ uri: URI, version: 5, annotations: [annotation(2)], file: null }, 5)).toBe(true);
    expect(documents.of(URI, 5).map(({ line }) => line)).toEqual([2]);
  });

  test('replaces what was said before, also by nothing', () => {
    const documents = new DocumentAnnotations();
    documents.receive({ uri: URI, version: 1, annotations: [annotation(1)], file: null }, 1);
    documents.receive({ uri: URI, version: 1, annotations: [], file: null }, 1);
    expect(documents.of(URI, 1)).toEqual([]);
  });
});

test('ends of lines move where text of an annotated line changes, and not where only other lines do', () => {
  const carried = [annotation(3)];
  expect(movesEnds(carried, [change([2, 4], [2, 4], 'x')])).toBe(true);
  expect(movesEnds(carried, [change([1, 4], [1, 4], 'x')])).toBe(false);
  expect(movesEnds(carried, [change([2, 4], [2, 4], '\n')])).toBe(false);
});

test('an edit may change how many lines there are where it takes some or brings breaks', () => {
  expect(changesLineCount([change([1, 0], [1, 4], 'x')])).toBe(false);
  expect(changesLineCount([change([1, 0], [1, 4], 'x'), change([3, 0], [3, 0], '\n')])).toBe(true);
  expect(changesLineCount([change([1, 0], [2, 0], '')])).toBe(true);
});
