// Rows as text for the clipboard.

import type { Column } from './columns';

export type CopyFormat = 'tsv' | 'csv';

/** Rows with a header line: every column, also those that there was no room for; numbers in full. */
export function rowsAsText<Row>(rows: readonly Row[], columns: readonly Column<Row>[], format: CopyFormat): string {
  const lines = [
    columns.map((column) => column.copied?.title ?? column.title),
    ...rows.map((row) => columns.map((column) => (column.copied ?? column).text(row))),
  ];
  return lines.map((cells) => cells.map(escapes[format]).join(format === 'tsv' ? '\t' : ',') + '\n').join('');
}

const escapes: Readonly<Record<CopyFormat, (cell: string) => string>> = {
  tsv: (cell) => cell.replace(/[\t\r\n]+/g, ' '),
  // As RFC 4180 has it.
  csv: (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell),
};
