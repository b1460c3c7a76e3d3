// What a report holds, as it is written into its document.

import type { OpenedRun, Scope, TimelineNames, TimelineRecord, WindowRecord } from '../../src/protocol';

/** All of a timeline; `px_ps` is what its slices were merged to, 1 where each is by itself. */
export interface HeldTimeline {
  readonly record: TimelineRecord;
  readonly px_ps: number;
  readonly window: WindowRecord;
  /** The ids of the names, ascending. */
  readonly ids: readonly number[];
  readonly names: TimelineNames;
  /** The tracks of gaps, a device each, the names that gaps have, and from which length on they are worth a look. */
  readonly gap_tracks: readonly string[];
  readonly gap_ids: readonly number[];
  readonly least_gap_ps: number;
}

export interface Held {
  readonly version: string;
  /** Texts of the interface in the language of who made the report, by those in English. */
  readonly texts: Readonly<Record<string, string>>;
  /** What of the run is looked at first. */
  readonly scope: Scope;
  /** The run, as each scope has it. */
  readonly runs: Readonly<Partial<Record<Scope, OpenedRun>>>;
  /** Answers by what was asked; see `keyOf`. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly timeline: HeldTimeline | null;
  /** The recorded text of files; null where it was left out. */
  readonly sources: Readonly<Record<string, string>> | null;
}

/** Parameters that say nothing: what is asked for without them is the same. */
const SILENT: readonly unknown[] = [null, undefined, false, 0];

/** What an answer is found by. */
export function keyOf(scope: Scope, method: string, params: unknown): string {
  const said = Object.entries((params ?? {}) as Record<string, unknown>)
    .filter(([, value]) => !SILENT.includes(value))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `${scope} ${method} ${JSON.stringify(Object.fromEntries(said))}`;
}

/** Reads what a document holds. */
export async function heldIn(page: Document): Promise<Held> {
  const text = page.getElementById('held')?.textContent ?? '';
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text()) as Held;
}
