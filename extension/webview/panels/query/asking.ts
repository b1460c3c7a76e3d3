// A query under way, and what came of it.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { QueryOutcome } from '../../../src/protocol';
import { usePage } from '../../shared/page/page';
import { RequestCancelled, RequestFailure } from '../../shared/page/rpc';

export const MOST_ROWS = 10_000;

export type Asked =
  | { readonly state: 'none' | 'asking' | 'cancelled' }
  | { readonly state: 'failed'; readonly sentence: string; readonly isMissing: boolean }
  | {
      readonly state: 'answered';
      readonly outcome: QueryOutcome;
      readonly answer: NonNullable<QueryOutcome['answer']>;
    };

/** `shown` is what to show: while a query is asked, what came of the one before stays. */
export interface Asking {
  readonly shown: Asked;
  readonly isAsking: boolean;
  readonly ask: (query: string) => void;
  readonly cancel: () => void;
}

/** Asks queries of the run, one at a time: the next one ends the one before. */
export function useAsking(run: string): Asking {
  const { host } = usePage();
  const [shown, setShown] = useState<Asked>({ state: 'none' });
  const [isAsking, setAsking] = useState(false);
  const current = useRef<AbortController | null>(null);
  const cancel = (): void => current.current?.abort();
  useEffect(() => {
    // What was found is of the run that was shown then.
    setShown({ state: 'none' });
    return cancel;
  }, [run]);
  const ask = (query: string): void => {
    cancel();
    const aborting = new AbortController();
    current.current = aborting;
    setAsking(true);
    host.keepQuery(query);
    host
      .details('queryAnswer', { query, rows: MOST_ROWS }, { signal: aborting.signal })
      .then(answered, failed)
      .then((next) => {
        if (current.current === aborting) {
          setShown(next);
          setAsking(false);
        }
      })
      .catch(() => undefined);
  };
  return { shown, isAsking, ask, cancel };
}

function answered(outcome: QueryOutcome): Asked {
  return outcome.answer === null
    ? { state: 'failed', sentence: outcome.sentence ?? '', isMissing: outcome.why === 'missing' }
    : { state: 'answered', outcome, answer: outcome.answer };
}

function failed(error: unknown): Asked {
  if (error instanceof RequestCancelled) {
    return { state: 'cancelled' };
  }
  const sentence = error instanceof RequestFailure ? error.message : String(error);
  return { state: 'failed', sentence, isMissing: false };
}
