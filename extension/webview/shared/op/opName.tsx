// The name of an op wherever ops are listed: what it is in jax, its line and phase first, the name that XLA gave it second.

import * as l10n from '@vscode/l10n';
import type { Column } from '../table/columns';
import { type ColumnOptions, textColumn } from '../table/kinds';
import { dotted } from '../text/format';
import { phaseName } from '../text/phases';
import type { Phase } from '../theme';
import { lineText } from './words';

export interface NamedOp {
  /** The name that XLA gave it. */
  readonly name: string;
  /** The operation of jax; empty where none is known. */
  readonly primitive: string;
  readonly path: string | null;
  readonly line: number | null;
  /** Null where none is known. */
  readonly phase: Phase | null;
}

/** The op that a row is. */
export function namedOp({
  label: name,
  primitive,
  path,
  line,
  phase,
}: Omit<NamedOp, 'name'> & { readonly label: string }): NamedOp {
  return { name, primitive, path, line, phase };
}

/** `dot_general · decoder.py:48 · backward`; by XLA's name where jax knows none. */
export function opName(op: NamedOp): string {
  return dotted([op.primitive || op.name, placeText(op)]);
}

/** The op with XLA's name after it, in one text. */
export function fullOpName(op: NamedOp): string {
  return op.primitive === '' ? opName(op) : `${opName(op)}  ${op.name}`;
}

function placeText({ path, line, phase }: NamedOp): string {
  return dotted([lineText(path, line), phase === null || phase === 'other' ? null : phaseName(phase)]);
}

/** What of an op's name a search looks in. */
export function searchedName({ name, primitive, path, line }: NamedOp): string {
  return [name, primitive, `${path ?? ''}:${String(line ?? '')}`].join('\n');
}

export function OpName(props: { readonly op: NamedOp }) {
  const { op } = props;
  return op.primitive === '' ? (
    <>
      <code class="text op-in-xla">{op.name}</code>
      <span class="text quiet">{placeText(op)}</span>
    </>
  ) : (
    <>
      <span class="text op-in-jax">{opName(op)}</span>
      <code class="text quiet op-in-xla">{op.name}</code>
    </>
  );
}

/** What ops are ordered by: the operation, then XLA's name with its number. */
export function sortedName({ primitive, name }: NamedOp): string {
  return `${primitive || name} ${name}`;
}

/** The column that names the op of a row. */
export function opColumn<Row>(of: (row: Row) => NamedOp, options: ColumnOptions<Row> = {}): Column<Row> {
  const text = (row: Row): string => fullOpName(of(row));
  const column = textColumn('name', l10n.t('Op'), text, {
    width_px: 240,
    least_px: 128,
    fills: 3,
    cell: (row) => <OpName op={of(row)} />,
    ...options,
  });
  return { ...column, value: (row) => sortedName(of(row)) };
}
