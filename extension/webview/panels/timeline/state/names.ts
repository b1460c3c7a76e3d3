// The names of slices, fetched as they are needed: windows carry only their ids.

import type { TimelineNames, TrackRecord } from '../../../../src/protocol';
import { fullOpName } from '../../../shared/op/opName';
import { namedEvent } from './eventName';

/** The most that are asked for at once. */
const MOST_IDS = 2000;

/** Tracks whose events are ops, or may be: scopes and kernels may be called as other ops are. */
const KINDS_WITH_OPS: ReadonlySet<TrackRecord['kind']> = new Set(['ops', 'async', 'thread']);

export interface SliceName {
  readonly name: string;
  readonly shown: string;
  /** The same of ops, by what all of the name are in jax. */
  readonly ofOps: string;
}

/** What all events of a name are called on a track. */
export function nameOn(kind: TrackRecord['kind'] | null, { shown, ofOps }: SliceName): string {
  return kind !== null && KINDS_WITH_OPS.has(kind) ? ofOps : shown;
}

export class NameCache {
  private readonly known = new Map<number, SliceName>();
  /** Of a record before this one: good to look at until they are known anew. */
  private old: ReadonlyMap<number, SliceName> = new Map();
  private wanted = new Set<number>();
  private isAsking = false;
  private generation = 0;

  constructor(
    private readonly ask: (ids: readonly number[]) => Promise<TimelineNames>,
    private readonly onArrival: () => void,
  ) {}

  /** The name of an id, or null, in which case it is fetched once `fetch` is called. */
  get(id: number): SliceName | null {
    const name = this.known.get(id);
    if (name !== undefined) {
      return name;
    }
    this.wanted.add(id);
    return this.old.get(id) ?? null;
  }

  /** Asks for what was wanted and is not known, one request at a time. */
  fetch(): void {
    if (this.isAsking || this.wanted.size === 0) {
      return;
    }
    this.isAsking = true;
    void this.fetchWanted().finally(() => (this.isAsking = false));
  }

  /** Another record's ids may mean something else. */
  renew(): void {
    this.generation += 1;
    this.old = new Map([...this.old, ...this.known]);
    this.known.clear();
  }

  private async fetchWanted(): Promise<void> {
    while (this.wanted.size > 0) {
      const ids = [...this.wanted].slice(0, MOST_IDS);
      const { generation } = this;
      for (const id of ids) {
        this.wanted.delete(id);
      }
      let names: TimelineNames;
      try {
        names = await this.ask(ids);
      } catch {
        // Whoever draws asks again when something is drawn; windows tell what is wrong.
        return;
      }
      if (generation === this.generation) {
        ids.forEach((id, at) => {
          const name = names.names[at] ?? '';
          const shown = names.shown[at] ?? name;
          const ofOps = fullOpName(namedEvent({ shown_name: shown, op: names.ops[at] ?? null }));
          this.known.set(id, { name, shown, ofOps });
        });
        this.onArrival();
      }
    }
  }
}
