// What colour each box of a window has: by phase, by name inside its phase's hue, by scope or by step.

import type { SectionRecord, TimelineStepsRecord } from '../../../../src/protocol';
import { entryOf, scopeEntry, SLICE_COLOURS, stepEntry, variantOf } from './boxes/palette';
import type { Boxes, DecodedWindow } from '../windows/packed';
import type { Colouring } from '../state/state';

export interface ColouringContext {
  readonly colouring: Colouring;
  readonly sections: readonly SectionRecord[];
  readonly steps: TimelineStepsRecord | null;
  /** How many levels of scopes are shown: the deepest of them gives the colour. */
  readonly levels: number;
  /** The name of an id; null until it is known. */
  readonly nameOf: (id: number) => string | null;
}

/** What is in no scope or step. */
const OUTSIDE = entryOf(SLICE_COLOURS.indexOf('other'));

/** Spans of time that colour what lies in them: sorted by start, not overlapping. */
interface Colours {
  readonly start_ps: ArrayLike<number>;
  readonly duration_ps: ArrayLike<number>;
  readonly entry: (at: number) => number;
  readonly first: number;
  readonly end: number;
}

/** An entry of the palette for each box. */
export function entriesOf(window: DecodedWindow, context: ColouringContext): Uint8Array {
  const { boxes } = window;
  switch (context.colouring) {
    case 'phase':
      return boxes.colour;
    case 'name':
      return byName(boxes, context.nameOf);
    case 'scope':
      return byScope(window, context);
    case 'step':
      return byStep(window, context.steps);
  }
}

/** The ids whose names give colours. */
export function namesForColours(window: DecodedWindow, context: ColouringContext): ReadonlySet<number> {
  switch (context.colouring) {
    case 'name':
      return new Set(window.boxes.name);
    case 'scope':
      return new Set(
        [...scopeRows(window, context).values()]
          .flat()
          .flatMap((row) => [...window.boxes.name.subarray(...rangeOf(window.boxes, row))]),
      );
    default:
      return new Set();
  }
}

/** The tracks of scopes in the sections of some tracks: to colour by scope they are needed, in sight or not. */
export function scopeTracks(sections: readonly SectionRecord[], tracks: ReadonlySet<string>): readonly string[] {
  return sections
    .filter((section) => section.tracks.some(({ id }) => tracks.has(id)))
    .flatMap((section) => section.tracks.filter(({ kind }) => kind === 'scopes').map(({ id }) => id));
}

function byName({ count, name, colour }: Boxes, nameOf: ColouringContext['nameOf']): Uint8Array {
  const entries = new Uint8Array(count);
  const variants = new Map<number, number>();
  for (let box = 0; box < count; box += 1) {
    const id = name[box] ?? 0;
    let variant = variants.get(id);
    if (variant === undefined) {
      const text = nameOf(id);
      variant = text === null ? 0 : variantOf(text);
      variants.set(id, variant);
    }
    entries[box] = entryOf(colour[box] ?? 0, variant);
  }
  return entries;
}

function byStep(window: DecodedWindow, steps: TimelineStepsRecord | null): Uint8Array {
  const { boxes } = window;
  const entries = new Uint8Array(boxes.count).fill(OUTSIDE);
  if (steps === null) {
    return entries;
  }
  const colours: Colours = { ...steps, entry: stepEntry, first: 0, end: steps.start_ps.length };
  for (let row = 0; row < boxes.rows; row += 1) {
    colourRow(window, row, window.record.start_ps, colours, entries);
  }
  return entries;
}

function byScope(window: DecodedWindow, context: ColouringContext): Uint8Array {
  const { boxes, record } = window;
  const entries = new Uint8Array(boxes.count).fill(OUTSIDE);
  const scopes = scopeRows(window, context);
  const sectionOf = new Map(
    context.sections.flatMap((section) => section.tracks.map(({ id }) => [id, section] as const)),
  );
  // What a thread of the host did stands beside a device, and is in none of its scopes.
  const ofHost = new Set(
    context.sections.flatMap(({ kind, tracks }) =>
      tracks.filter((track) => kind === 'host' || track.kind === 'lines').map(({ id }) => id),
    ),
  );
  const entry = (box: number): number => {
    const name = context.nameOf(boxes.name[box] ?? 0);
    return name === null ? OUTSIDE : scopeEntry(name);
  };
  for (let row = 0; row < boxes.rows; row += 1) {
    const track = record.tracks[boxes.track[row] ?? 0]?.id ?? '';
    const levels = scopes.get(sectionOf.get(track)?.id ?? '') ?? [];
    const [first, end] = rangeOf(boxes, row);
    if (levels.includes(row)) {
      for (let box = first; box < end; box += 1) {
        entries[box] = entry(box);
      }
    } else if (ofHost.has(track)) {
      entries.set(boxes.colour.subarray(first, end), first);
    } else {
      // Deeper levels are later: they have the last word.
      for (const level of levels) {
        const [from, to] = rangeOf(boxes, level);
        colourRow(window, row, 0, { ...boxes, entry, first: from, end: to }, entries);
      }
    }
  }
  return entries;
}

/** The rows of shown scope levels by their sections, the outermost first. */
function scopeRows(window: DecodedWindow, context: ColouringContext): ReadonlyMap<string, readonly number[]> {
  const { boxes, record } = window;
  const sectionOf = new Map(
    context.sections.flatMap((section) =>
      section.tracks.filter(({ kind }) => kind === 'scopes').map(({ id }) => [id, section.id] as const),
    ),
  );
  const rows = new Map<string, number[]>();
  for (let row = 0; row < boxes.rows; row += 1) {
    const section = sectionOf.get(record.tracks[boxes.track[row] ?? 0]?.id ?? '');
    if (section !== undefined && (boxes.depth[row] ?? 0) < context.levels) {
      rows.set(section, [...(rows.get(section) ?? []), row]);
    }
  }
  for (const levels of rows.values()) {
    levels.sort((one, other) => (boxes.depth[one] ?? 0) - (boxes.depth[other] ?? 0));
  }
  return rows;
}

function rangeOf({ firstBox }: Boxes, row: number): [number, number] {
  return [firstBox[row] ?? 0, firstBox[row + 1] ?? 0];
}

/** Gives each box of a row the colour of the span that its middle is in; `offset_ps` is where the boxes' times start. */
function colourRow(window: DecodedWindow, row: number, offset_ps: number, colours: Colours, entries: Uint8Array): void {
  const { boxes } = window;
  const [first, end] = rangeOf(boxes, row);
  let at = colours.first;
  for (let box = first; box < end; box += 1) {
    const middle_ps = offset_ps + (boxes.start_ps[box] ?? 0) + (boxes.duration_ps[box] ?? 0) / 2;
    while (at < colours.end && (colours.start_ps[at] ?? 0) + (colours.duration_ps[at] ?? 0) <= middle_ps) {
      at += 1;
    }
    if (at < colours.end && (colours.start_ps[at] ?? 0) <= middle_ps) {
      entries[box] = colours.entry(at);
    }
  }
}
