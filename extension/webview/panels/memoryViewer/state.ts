// What the Memory Viewer keeps over reloads: what is chosen, zoomed to and looked at.

import type { Span } from '../../shared/charts/span';
import type { SavedState } from '../../shared/page/state';
import type { ViewName } from './curveData';

/** The program and memory space that were chosen for a run: of another run they may be none. */
export interface Chosen {
  readonly run: string;
  readonly program_id: string | null;
  readonly memory_space: number | null;
}

/** A position whose live buffers are listed. */
export interface PositionFocus {
  readonly position: number;
  /** Of the order of execution: which point it was picked at, and what runs there. */
  readonly execution: { readonly point: number; readonly op: string } | null;
}

export type ViewerState = ReturnType<typeof viewerState>;

const ALL_SHOWN = { program: null, execution: null, map: null };

export function viewerState(saved: SavedState) {
  return {
    /** The run, program and memory space that the rest is of. */
    of: saved.signal<string | null>('of', null),
    chosen: saved.signal<Chosen | null>('chosen', null),
    view: saved.signal<ViewName>('view', 'program'),
    asTable: saved.signal('asTable', false),
    shown: saved.signal<Readonly<Record<ViewName, Span | null>>>('shown', ALL_SHOWN),
    /** The buffer whose card stays, by its id. */
    pinned: saved.signal<string | null>('pinned', null),
    /** Null where the buffers at the peak are listed. */
    listed: saved.signal<PositionFocus | null>('listed', null),
    search: saved.signal('search', ''),
    /** The allocation that the map is of; null is all of them. */
    allocation: saved.signal<number | null>('allocation', null),
  };
}

/** Forgets what belongs to another program than the one that is shown now. */
export function keepOnlyOf(state: ViewerState, of: string): void {
  if (state.of.value === of) {
    return;
  }
  state.of.value = of;
  state.shown.value = ALL_SHOWN;
  state.pinned.value = null;
  state.listed.value = null;
  state.allocation.value = null;
}
