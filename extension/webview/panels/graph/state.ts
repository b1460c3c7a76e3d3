// What a person has chosen of the graph, kept over a reload.

import type { Signal } from '@preact/signals';
import type { SavedState } from '../../shared/page/state';
import type { GraphLevel } from '../../../src/protocol';
import type { GraphOverlay } from './model/overlays';

export interface GraphState {
  readonly level: Signal<GraphLevel>;
  readonly program: Signal<string | null>;
  /** The op in the middle, and the one that a way is shown to. */
  readonly op: Signal<string | null>;
  readonly to: Signal<string | null>;
  readonly radius: Signal<number>;
  readonly open: Signal<readonly string[]>;
  readonly hubs: Signal<boolean>;
  readonly overlay: Signal<GraphOverlay>;
  readonly selected: Signal<string | null>;
  readonly search: Signal<string>;
  /** What was searched to go to the ops of a line, by no person. */
  readonly searchOfLine: Signal<string | null>;
  readonly asTable: Signal<boolean>;
  readonly rows: Signal<'nodes' | 'edges'>;
  readonly run: Signal<string | null>;
}

export const LEAST_RADIUS = 1;
export const MOST_RADIUS = 6;
export const USUAL_RADIUS = 2;

export function graphState(saved: SavedState): GraphState {
  return {
    level: saved.signal<GraphLevel>('level', 'lines'),
    program: saved.signal<string | null>('program', null),
    op: saved.signal<string | null>('op', null),
    to: saved.signal<string | null>('to', null),
    radius: saved.signal('radius', USUAL_RADIUS),
    open: saved.signal<readonly string[]>('open', []),
    hubs: saved.signal('hubs', false),
    overlay: saved.signal<GraphOverlay>('overlay', 'time'),
    selected: saved.signal<string | null>('selected', null),
    search: saved.signal('search', ''),
    searchOfLine: saved.signal<string | null>('searchOfLine', null),
    asTable: saved.signal('asTable', false),
    rows: saved.signal<'nodes' | 'edges'>('rows', 'nodes'),
    run: saved.signal<string | null>('run', null),
  };
}

/** Whether what is searched are the ops of a line that one went to, and nobody has typed anything else. */
export function isSearchOfLine({ search, searchOfLine }: GraphState): boolean {
  return search.value !== '' && search.value === searchOfLine.value;
}

/** Of another run no op is the same: its lines are shown first. */
export function keepOnlyOf(state: GraphState, run: string | null): void {
  if (run === null || state.run.peek() === run) {
    return;
  }
  if (state.run.peek() !== null) {
    state.level.value = 'lines';
    state.program.value = null;
    state.op.value = null;
    state.to.value = null;
    state.open.value = [];
    state.selected.value = null;
    state.search.value = '';
    state.searchOfLine.value = null;
  }
  state.run.value = run;
}
