// What changed since the run that the shown one is compared with, for every panel: rows by the keys of their records.

import { type ReadonlySignal, useComputed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { ProgressReport } from '../../../src/daemon/connection';
import type { ComparedBy, ComparedRow, ComparedWith, ComparisonRecord } from '../../../src/protocol';
import { usePage } from '../page/page';
import { RequestFailure } from '../page/rpc';

export interface Comparison {
  /** What is compared. */
  readonly sides: ComparedWith;
  readonly by: ComparedBy;
  /** Null until it is known, or where it cannot be had. */
  readonly record: ComparisonRecord | null;
  /** Why it cannot be had: a sentence. */
  readonly failure: string | null;
  readonly progress: ProgressReport | null;
  /** The row of the comparison that a row of the shown run's own record is, by its key. */
  readonly rowOf: (key: string) => ComparedRow | undefined;
  /** What is only before, in the order of its change: no row of the shown run is it. */
  readonly onlyBefore: readonly ComparedRow[];
}

/** With what the run of this page is compared; null where it is with nothing, or the page is of a file. */
export function useComparedWith(): ReadonlySignal<ComparedWith | null> {
  const { host, path } = usePage();
  return useComputed(() => (path === null ? (host.facts.value?.comparison ?? null) : null));
}

interface Known {
  readonly key: string;
  readonly record: ComparisonRecord | null;
  readonly failure: string | null;
  readonly progress: ProgressReport | null;
  readonly rows: ReadonlyMap<string, ComparedRow>;
}

const NO_ROWS: ReadonlyMap<string, ComparedRow> = new Map();

/**
 * The comparison of the page's run by what its rows are; null where nothing is compared, or `by` is null. The record
 * of a former comparison is never that of another; while it is read anew the one before stays.
 */
export function useComparison(by: ComparedBy | null): Comparison | null {
  const { host } = usePage();
  const facts = host.facts.value;
  const sides = useComparedWith().value;
  const [known, setKnown] = useState<Known | null>(null);
  const of = sides === null || by === null ? null : JSON.stringify([sides, by]);
  const isAsked = of !== null && facts?.daemonState === 'running';
  const generations = [facts?.shownRunGeneration, facts?.recordsGeneration, facts?.comparisonGeneration];

  useEffect(() => {
    if (!isAsked || by === null) {
      return undefined;
    }
    const aborting = new AbortController();
    const set = (known: Partial<Known>): void =>
      setKnown((before) => ({
        ...(before?.key === of ? before : { record: null, rows: NO_ROWS }),
        failure: null,
        progress: null,
        ...known,
        key: of,
      }));
    const onProgress = (progress: ProgressReport): void => set({ progress });
    host.details('compared', { by }, { signal: aborting.signal, onProgress }).then(
      (record) => set({ record, rows: rowsByKey(record) }),
      (error: unknown) => {
        if (error instanceof RequestFailure) {
          set({ failure: error.message });
        }
      },
    );
    return () => aborting.abort();
  }, [of, isAsked, ...generations]);

  if (sides === null || by === null) {
    return null;
  }
  const { record = null, failure = null, progress = null, rows = NO_ROWS } = known?.key === of ? known : {};
  return {
    sides,
    by,
    record,
    failure,
    progress,
    rowOf: (key) => rows.get(key),
    onlyBefore: record?.rows.filter(({ after_key }) => after_key === null) ?? [],
  };
}

function rowsByKey({ rows }: ComparisonRecord): ReadonlyMap<string, ComparedRow> {
  return new Map(rows.flatMap((row) => (row.after_key === null ? [] : [[row.after_key, row] as const])));
}
