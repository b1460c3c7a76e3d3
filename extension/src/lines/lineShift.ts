/** A change of a text: what was between two places (0-based, of the text before) was replaced. */
export interface LineChange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  readonly insertedLines: number;
}

/**
 * Where a line (0-based) is after a change; undefined where it was deleted. A line of which something was changed is
 * still that line: the daemon says shortly what has become of it.
 */
export function shiftLine(line: number, { start, end, insertedLines }: LineChange): number | undefined {
  if (line < start.line) {
    return line;
  }
  if (line > end.line) {
    return line - (end.line - start.line) + insertedLines;
  }
  if (start.line === end.line) {
    // What is inserted in front of a line takes it down.
    const isInFront = start.character === 0 && end.character === 0;
    return isInFront ? line + insertedLines : line;
  }
  if (line === end.line && end.character === 0) {
    return start.line + insertedLines;
  }
  return line === start.line && start.character > 0 ? line : undefined;
}
