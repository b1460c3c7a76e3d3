// Where one can go in the graph: to another level, the neighbours of an op, into a node, along the way to another op.

import { batch } from '@preact/signals';
import type { GraphHit, GraphLevel } from '../../../src/protocol';
import { type GraphState, isSearchOfLine, LEAST_RADIUS, MOST_RADIUS } from './state';

export interface Navigation {
  readonly showLevel: (level: GraphLevel, op?: string | null) => void;
  /** All lines, nothing opened; false where that is what is shown. */
  readonly overview: () => boolean;
  readonly neighbours: (op: string) => void;
  readonly way: (from: string, to: string) => void;
  readonly toggle: (key: string) => void;
  readonly widen: (by: -1 | 1) => void;
  readonly goTo: (hit: GraphHit) => void;
  readonly chooseProgram: (program: string | null) => void;
}

export function navigationOf(state: GraphState): Navigation {
  const show = (level: GraphLevel, op: string | null, more: { to?: string; open?: readonly string[] } = {}): void =>
    batch(() => {
      state.level.value = level;
      state.op.value = op;
      state.to.value = more.to ?? null;
      state.open.value = more.open ?? [];
      // What led to the ops of a line is behind.
      if (level !== 'ops' && isSearchOfLine(state)) {
        state.search.value = '';
      }
    });
  return {
    showLevel: (level, op = null) => show(level, op),
    overview: () => {
      const { level, program, open } = state;
      const isElsewhere = level.value !== 'lines' || program.value !== null || open.value.length > 0;
      batch(() => {
        show('lines', null);
        program.value = null;
      });
      return isElsewhere;
    },
    neighbours: (op) =>
      batch(() => {
        show('ops', op);
        state.selected.value = op;
      }),
    way: (from, to) =>
      batch(() => {
        show('ops', from, { to });
        state.selected.value = to;
      }),
    toggle: (key) => {
      const { value } = state.open;
      state.open.value = value.includes(key) ? value.filter((each) => each !== key) : [...value, key];
    },
    widen: (by) => {
      state.radius.value = Math.min(MOST_RADIUS, Math.max(LEAST_RADIUS, state.radius.value + by));
    },
    goTo: ({ key, open }) =>
      batch(() => {
        show('ops', key, { open });
        state.selected.value = key;
      }),
    chooseProgram: (program) =>
      batch(() => {
        state.program.value = program;
        show(state.level.value, null);
      }),
  };
}
