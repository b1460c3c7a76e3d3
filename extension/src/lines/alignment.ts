/** Widths of other characters than ASCII; tables that take longer to load than the rest of the extension. */
let widthOf: ((text: string) => number) | undefined;
const ASCII = /^[ -~]*$/;

/** The gap between the end of the longest line of a group and its annotation. */
export const GAP_COLUMNS = 4;
/** No annotation stands further from its line than this, beside the gap: the eye must find the way back. */
export const MOST_PADDING_COLUMNS = 16;
/** Annotated lines with more lines than this between them are not read as one column. */
export const MOST_LINES_BETWEEN = 2;

/** An annotated line: its 0-based number, and its width as `columnsOf` counts. */
export interface AnnotatedLine {
  readonly line: number;
  readonly columns: number;
}

/** Loads what `columnsOf` needs: once, before the first annotations are drawn. */
export async function loadWidths(): Promise<void> {
  widthOf ??= (await import('string-width')).default;
}

/** Columns that a text takes in a fixed-width font: tabs reach to the next stop, wide characters take two. */
export function columnsOf(text: string, tabSize: number): number {
  let columns = 0;
  for (const [index, part] of text.split('\t').entries()) {
    if (index > 0) {
      columns += tabSize - (columns % tabSize);
    }
    columns += widthOf === undefined || ASCII.test(part) ? part.length : widthOf(part);
  }
  return columns;
}

/**
 * Columns between the end of each line and its annotation, in the order of the lines, which ascend. Lines that are
 * close to each other and close in length have their annotations in one column.
 */
export function align(lines: readonly AnnotatedLine[]): number[] {
  return groups(lines).flatMap((group) => {
    const widest = group.reduce((most, { columns }) => Math.max(most, columns), 0);
    return group.map(({ columns }) => widest - columns + GAP_COLUMNS);
  });
}

/** The same where all annotations of a file begin at one column, or after the usual gap behind what reaches beyond it. */
export function atColumn(lines: readonly AnnotatedLine[], column: number): number[] {
  return lines.map(({ columns }) => Math.max(column - columns, GAP_COLUMNS));
}

function groups(lines: readonly AnnotatedLine[]): AnnotatedLine[][] {
  const found: AnnotatedLine[][] = [];
  let least = 0;
  let most = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const line of lines) {
    const lowest = Math.min(least, line.columns);
    const highest = Math.max(most, line.columns);
    const group = found.at(-1);
    const fits = highest - lowest <= MOST_PADDING_COLUMNS && line.line - last - 1 <= MOST_LINES_BETWEEN;
    if (group !== undefined && fits) {
      group.push(line);
      [least, most] = [lowest, highest];
    } else {
      found.push([line]);
      [least, most] = [line.columns, line.columns];
    }
    last = line.line;
  }
  return found;
}
