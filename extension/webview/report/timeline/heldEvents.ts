// The events of a held timeline: boxes by track and depth, each with its name. An event's number is that of its box.

import type { EventPlace, OpInJax } from '../../../src/protocol';
import { SLICE_COLOURS, type SliceColour } from '../../panels/timeline/drawing/boxes/palette';
import { type Boxes, type CounterPoints, decodeWindow } from '../../panels/timeline/windows/packed';
import { firstNotBefore } from '../../shared/charts/ascending';
import type { HeldTimeline } from '../held';

/** The boxes of one row: those from `first` to before `end`. */
export interface Row {
  readonly depth: number;
  readonly first: number;
  readonly end: number;
}

export interface BoxName {
  readonly name: string;
  readonly shown: string;
  readonly op: OpInJax | null;
}

const UNNAMED: BoxName = { name: '', shown: '', op: null };

export class HeldEvents {
  readonly boxes: Boxes;
  readonly counters: ReadonlyMap<string, CounterPoints>;
  /** What slices were merged to; 1 where each is by itself. */
  readonly px_ps: number;
  private readonly rows = new Map<string, readonly Row[]>();
  private readonly trackOfRow: readonly string[];
  private readonly merged = new Map<number, number>();
  private readonly names = new Map<number, BoxName>();

  constructor(held: HeldTimeline) {
    const { record, boxes, counters } = decodeWindow(held.window);
    this.boxes = boxes;
    this.px_ps = held.px_ps;
    this.counters = new Map(counters.map((each) => [each.record.track, each]));
    boxes.mergedBox.forEach((box, at) => this.merged.set(box, at));
    held.ids.forEach((id, at) => {
      const { names, shown, ops } = held.names;
      this.names.set(id, { name: names[at] ?? '', shown: shown[at] ?? '', op: ops[at] ?? null });
    });
    const trackOfRow: string[] = [];
    for (let row = 0; row < boxes.rows; row += 1) {
      const track = record.tracks[boxes.track[row] ?? 0]?.id ?? '';
      const [first, end] = [boxes.firstBox[row] ?? 0, boxes.firstBox[row + 1] ?? 0];
      this.rows.set(track, [...this.rowsOf(track), { depth: boxes.depth[row] ?? 0, first, end }]);
      trackOfRow.push(track);
    }
    this.trackOfRow = trackOfRow;
  }

  /** The rows of a track that hold something, by depth. */
  rowsOf(track: string): readonly Row[] {
    return this.rows.get(track) ?? [];
  }

  nameOf(id: number): BoxName {
    return this.names.get(id) ?? UNNAMED;
  }

  /** How many events a box stands for. */
  countOf(box: number): number {
    const at = this.merged.get(box);
    return at === undefined ? 1 : (this.boxes.mergedCount[at] ?? 1);
  }

  startOf(box: number): number {
    return this.boxes.start_ps[box] ?? 0;
  }

  endOf(box: number): number {
    return this.startOf(box) + (this.boxes.duration_ps[box] ?? 0);
  }

  /** The time of a box's events between two times; of several that the times cut, in the same proportion. */
  busyOf(box: number, start_ps: number, end_ps: number): number {
    const inside_ps = Math.max(0, Math.min(end_ps, this.endOf(box)) - Math.max(start_ps, this.startOf(box)));
    const at = this.merged.get(box);
    const whole_ps = this.boxes.duration_ps[box] ?? 0;
    return at === undefined || whole_ps === 0
      ? inside_ps
      : ((this.boxes.mergedBusy_ps[at] ?? 0) * inside_ps) / whole_ps;
  }

  /** The first box of a row that ends after a time. Boxes of a row do not overlap. */
  firstEndingAfter({ first, end }: Row, at_ps: number): number {
    return firstNotBefore(first, end, (box) => this.endOf(box) <= at_ps);
  }

  /** The boxes of a row that touch a span of time. */
  *boxesIn(row: Row, start_ps: number, end_ps: number): Generator<number> {
    for (let box = this.firstEndingAfter(row, start_ps); box < row.end && this.startOf(box) < end_ps; box += 1) {
      yield box;
    }
  }

  /** The time of a box without that of the boxes in the row below it, between two times. */
  selfOf(track: string, depth: number, box: number, start_ps: number, end_ps: number): number {
    const below = this.rowsOf(track).find((row) => row.depth === depth + 1);
    let self_ps = this.busyOf(box, start_ps, end_ps);
    if (below !== undefined) {
      const [from, to] = [Math.max(start_ps, this.startOf(box)), Math.min(end_ps, this.endOf(box))];
      for (const child of this.boxesIn(below, from, to)) {
        self_ps -= this.busyOf(child, from, to);
      }
    }
    return Math.max(0, Math.round(self_ps));
  }

  /** The same of all of an event. */
  wholeSelfOf({ track, depth, event, start_ps, duration_ps }: EventPlace): number {
    return this.selfOf(track, depth, event, start_ps, start_ps + duration_ps);
  }

  /** Boxes in the order of their start, parents before children. */
  byStart(boxes: readonly number[]): readonly number[] {
    return boxes.toSorted((one, other) => this.startOf(one) - this.startOf(other) || one - other);
  }

  /** Where a box is; null where there is none of that number. */
  placeOf(box: number): EventPlace | null {
    const { boxes } = this;
    if (!Number.isInteger(box) || box < 0 || box >= boxes.count) {
      return null;
    }
    const row = firstNotBefore(0, boxes.rows, (each) => (boxes.firstBox[each + 1] ?? 0) <= box);
    return {
      track: this.trackOfRow[row] ?? '',
      event: box,
      depth: boxes.depth[row] ?? 0,
      start_ps: this.startOf(box),
      duration_ps: boxes.duration_ps[box] ?? 0,
      name: this.nameOf(boxes.name[box] ?? 0).name,
    };
  }

  /** The box of a row that is nearest to a time. */
  nearest(track: string, depth: number, at_ps: number): number | null {
    const row = this.rowsOf(track).find((each) => each.depth === depth);
    if (row === undefined || row.first === row.end) {
      return null;
    }
    const after = Math.min(this.firstEndingAfter(row, at_ps), row.end - 1);
    const before = Math.max(after - 1, row.first);
    const distance = (box: number): number => Math.max(0, this.startOf(box) - at_ps, at_ps - this.endOf(box));
    return distance(before) < distance(after) ? before : after;
  }

  colourOf(box: number): SliceColour {
    return SLICE_COLOURS[this.boxes.colour[box] ?? 0] ?? 'other';
  }
}
