// A panel's record: fetched for the run that is shown, again when that changes, cancelled when it is not wanted.

import { createContext } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProgressReport } from '../../../src/daemon/connection';
import type { PanelManifest } from '../../../src/panels/manifest';
import type { Views, ViewId } from '../../../src/protocol';
import { usePage } from './page';
import { RequestCancelled, RequestFailure } from './rpc';

/** How long the record that is shown took to be read, in milliseconds. */
export const ReadTime = createContext<number | null>(null);

/** `value` stays while it is fetched anew, so that a refreshed view keeps its place. */
export interface Fetched<Value> {
  readonly value: Value | null;
  readonly state: 'none' | 'loading' | 'ready' | 'failed' | 'cancelled';
  readonly progress: ProgressReport | null;
  /** Why it failed: a sentence. */
  readonly failure: string | null;
  readonly took_ms: number | null;
  readonly cancel: () => void;
  readonly fetchAgain: () => void;
}

const nothing = { value: null, state: 'none', progress: null, failure: null, took_ms: null } as const;

/** The record of a panel for the page's run; `params` is compared by its JSON. */
export function useRecord<View extends ViewId>(
  { view, dependsOn }: PanelManifest<View>,
  params: Views[View]['params'],
): Fetched<Views[View]['result']> {
  type Value = Views[View]['result'];
  const { host, path } = usePage();
  const facts = host.facts.value;
  const [fetched, setFetched] = useState<Omit<Fetched<Value>, 'cancel' | 'fetchAgain'>>(nothing);
  const [attempt, setAttempt] = useState(0);
  const [abort, setAbort] = useState<AbortController | null>(null);
  const run = facts?.shownRun ?? null;
  // A page of a profile asks also where the daemon is not running yet: that starts it.
  const canAsk = facts?.daemonState === 'running' || (path !== null && facts?.daemonState === 'stopped');
  // A daemon that was started again says anew which run it shows; what was fetched for that is kept until then.
  const places = dependsOn.includes('places') ? facts?.placesGeneration : null;
  const settings = dependsOn.includes('settings') ? facts?.recordsGeneration : null;
  const generation = path === null ? facts?.shownRunGeneration : facts?.fileGeneration;
  const hasRun = path !== null || run !== null;
  const key = hasRun ? JSON.stringify([path, generation, places, settings, attempt, params]) : null;
  const fetchedKey = useRef<string | null>(null);

  useEffect(() => {
    if (key === null) {
      setFetched(nothing);
      return undefined;
    }
    if (!canAsk || fetchedKey.current === key) {
      return undefined;
    }
    const aborting = new AbortController();
    const started_ms = performance.now();
    // That a newer one took its place, or the page is gone, is nobody's concern.
    let isSuperseded = false;
    setAbort(aborting);
    setFetched((before) => ({
      ...before,
      value: path !== null || before.value?.run?.path === run?.path ? before.value : null,
      state: 'loading',
      progress: null,
      failure: null,
    }));
    const onProgress = (progress: ProgressReport): void => setFetched((before) => ({ ...before, progress }));
    host.request(view, params, { signal: aborting.signal, onProgress }).then(
      (value) => {
        fetchedKey.current = key;
        setFetched({ ...nothing, value, state: 'ready', took_ms: performance.now() - started_ms });
      },
      (error: unknown) => {
        if (error instanceof RequestFailure) {
          setFetched((before) => ({ ...before, state: 'failed', failure: error.message }));
        } else if (error instanceof RequestCancelled && !isSuperseded) {
          setFetched((before) => ({ ...before, state: before.value === null ? 'cancelled' : 'ready' }));
        }
      },
    );
    return () => {
      isSuperseded = true;
      aborting.abort();
    };
  }, [key, canAsk, view]);

  return { ...fetched, cancel: () => abort?.abort(), fetchAgain: () => setAttempt((count) => count + 1) };
}
