// Buffers in words and in order, and which of them another panel's selection means.

import * as l10n from '@vscode/l10n';
import type { Selection } from '../../../src/panels/messages';
import type { MemoryBuffer, MemoryTotals, MemoryViewerRecord } from '../../../src/protocol';
import { opName } from '../../shared/op/opName';
import { greatestRow } from '../../shared/table/greatest';
import { byteSize, count } from '../../shared/text/format';

/** By what buffers are ordered: the ids of the columns that say it. */
export const ORDERS = ['program', 'size', 'padding'] as const;
export type Order = (typeof ORDERS)[number];

export function orderName(order: Order): string {
  return {
    program: l10n.t('Program Order'),
    size: l10n.t('Size'),
    padding: l10n.t('Padding'),
  }[order];
}

/** What padding adds to a buffer. */
export function extraBytes({ bytes, unpadded_bytes }: MemoryBuffer): number {
  return bytes - unpadded_bytes;
}

/** How many times as large padding makes a buffer; null where it holds nothing. */
export function expansionOf({ bytes, unpadded_bytes }: MemoryBuffer): number | null {
  return unpadded_bytes === 0 ? null : bytes / unpadded_bytes;
}

/** What the width of a buffer stands for in an order. */
export function measureOf(order: Order): (buffer: MemoryBuffer) => number {
  return order === 'padding' ? extraBytes : sizeOf;
}

const sizeOf = ({ bytes }: MemoryBuffer): number => bytes;

/** The buffers in an order; those of equal measure stay in program order. */
export function inOrder(buffers: readonly MemoryBuffer[], order: Order): readonly MemoryBuffer[] {
  const measure = measureOf(order);
  return order === 'program' ? buffers : ascending(buffers, (buffer) => -measure(buffer));
}

/** Buffers in program order: what is there throughout, then temporaries as they are made. */
export function inProgramOrder(buffers: readonly MemoryBuffer[]): readonly MemoryBuffer[] {
  return ascending(buffers, ({ category, start }) => (category === 'temporary' ? BEHIND_ALL : 0) + start);
}

/** More than any position of a program. */
const BEHIND_ALL = 2 ** 40;

/** Rows by a number that each is asked for once; those of equal numbers keep their order. */
function ascending<Row>(rows: readonly Row[], numberOf: (row: Row) => number): readonly Row[] {
  const numbers = Float64Array.from(rows, numberOf);
  const places = Uint32Array.from(rows.keys()).sort((one, other) => (numbers[one] ?? 0) - (numbers[other] ?? 0));
  return Array.from(places, (place) => rows[place] as Row);
}

/** A buffer by the op that defines it, or how many small ones a row stands for. */
export function bufferName(buffer: MemoryBuffer, small_bytes: number): string {
  return isGroup(buffer)
    ? l10n.t('{0} small ones (below {1})', count(buffer.count), byteSize(small_bytes))
    : opName(buffer);
}

/** Whether a row stands for several small buffers. */
export function isGroup({ count: buffers }: Pick<MemoryBuffer, 'count'>): boolean {
  return buffers > 1;
}

/** `f32[8,128]` and `{1,0:T(8,128)}` of a shape that is written with its layout; a tuple has none of its own. */
export function splitShape(shape: string): { readonly shape: string; readonly layout: string } {
  const at = shape.startsWith('(') ? -1 : shape.indexOf('{');
  return at === -1 ? { shape, layout: '' } : { shape: shape.slice(0, at), layout: shape.slice(at) };
}

/** What stands for an estimate before a number. */
export function estimateMark({ basis }: Pick<MemoryViewerRecord, 'basis'>): string {
  return basis === 'estimated' ? '≈ ' : '';
}

/** What selecting a buffer selects in the other panels: its op, or its line where that is no op of theirs. */
export function selectionOf({ op_key: key, file, line }: MemoryBuffer): Selection | null {
  if (key !== null) {
    return { kind: 'op', key, file, line };
  }
  return file === null || line === null ? null : { kind: 'line', file, line };
}

/** The program that a selection names, with the key of its op that is meant; null where it names none of the record's. */
export function meantProgram({ modules }: MemoryViewerRecord, selection: Selection) {
  const key = selection.kind === 'op' ? selection.key : null;
  const found = modules.find(({ name, program_id: id, op_keys }) =>
    key !== null
      ? op_keys.includes(key)
      : selection.kind === 'program' && [name, `${name} (${id})`].includes(selection.name),
  );
  return found === undefined ? null : { program_id: found.program_id, op_key: key };
}

/** The largest buffer that a line defines, of those at the peak. */
export function largestOfLine(buffers: readonly MemoryBuffer[], file: string, line: number): MemoryBuffer | null {
  return greatestRow(
    buffers.filter((buffer) => buffer.file === file && buffer.line === line),
    ({ bytes }) => bytes,
  );
}

/** Who says what the device has. */
export function capacityMeaning(basis: MemoryTotals['capacity_basis']): string {
  switch (basis) {
    case 'allocator':
      return l10n.t('The limit of the device’s allocator, as the memory profile has it');
    case 'compiler':
      return l10n.t('What the compiler gives to programs on the device: the runtime keeps the rest');
    case 'device':
      return l10n.t('All memory of the device; its allocator has somewhat less');
    case null:
      return l10n.t('The memory of the device is not known.');
  }
}
