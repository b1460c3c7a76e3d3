// The search of the graph: in all of the program, in fusions and loops too; stepped through from hit to hit.

import type { Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../../shared/page/page';
import { RequestFailure } from '../../shared/page/rpc';
import type { GraphOptions } from '../../../src/protocol';
import type { GraphHit } from '../../../src/protocol';

/** One more letter soon after is one search. */
const TYPING_MS = 150;

export interface Found {
  readonly hits: readonly GraphHit[];
  /** Those that are not among them. */
  readonly left_out: number;
}

export interface Searching {
  /** Null while nothing is searched, or it is not known yet. */
  readonly found: Found | null;
  readonly failure: string | null;
  /** The hit that was gone to. */
  readonly ordinal: number | null;
  /** To the next hit, or the one before; round at the ends. */
  readonly step: (by: -1 | 1) => void;
  /** Searches for a text, and goes to the first hit that is meant, or the first of all. */
  readonly find: (text: string, isMeant: (hit: GraphHit) => boolean) => void;
}

/** Searches for a text in the program that `params` name. */
export function useSearch(
  text: Signal<string>,
  params: Pick<GraphOptions, 'program' | 'device'>,
  onHit: (hit: GraphHit) => void,
): Searching {
  const { host } = usePage();
  const words = text.value.trim();
  const [known, setKnown] = useState<{ readonly of: string; readonly found: Found } | null>(null);
  const [failed, setFailed] = useState<{ readonly of: string; readonly sentence: string } | null>(null);
  const [sought, setSought] = useState(0);
  const [at, setAt] = useState<{ readonly of: string; readonly ordinal: number } | null>(null);
  /** What is gone to once it is found. */
  const wanted = useRef<{ readonly text: string; readonly isMeant: (hit: GraphHit) => boolean } | null>(null);
  const of = JSON.stringify([words, params, host.facts.value?.shownRunGeneration]);
  useEffect(() => {
    if (words === '') {
      return undefined;
    }
    const aborting = new AbortController();
    const timer = setTimeout(() => {
      host.request('graph', { ...params, search: words }, { signal: aborting.signal }).then(
        ({ record }) => setKnown({ of, found: { hits: record.hits, left_out: record.hits_left_out } }),
        (error: unknown) => {
          // What was cancelled is no longer wanted.
          if (error instanceof RequestFailure) {
            setFailed({ of, sentence: error.message });
          }
        },
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [of]);
  const goTo = (hits: readonly GraphHit[], ordinal: number): void => {
    const hit = hits[ordinal];
    if (hit !== undefined) {
      setAt({ of, ordinal });
      onHit(hit);
    }
  };
  const found = words !== '' && known?.of === of ? known.found : null;
  const ordinal = found !== null && at?.of === of ? at.ordinal : null;
  useEffect(() => {
    const meant = wanted.current;
    if (found !== null && meant !== null && meant.text === words) {
      wanted.current = null;
      goTo(found.hits, Math.max(0, found.hits.findIndex(meant.isMeant)));
    }
  }, [found, sought]);
  return {
    found,
    failure: words !== '' && failed?.of === of ? failed.sentence : null,
    ordinal,
    step: (by) => {
      const hits = found?.hits ?? [];
      if (hits.length === 0) {
        return;
      }
      const next = ordinal === null ? (by > 0 ? 0 : hits.length - 1) : (ordinal + by + hits.length) % hits.length;
      goTo(hits, next);
    },
    find: (sought, isMeant) => {
      wanted.current = { text: sought, isMeant };
      text.value = sought;
      setSought((count) => count + 1);
    },
  };
}
