// Details of one thing in a panel's record, such as an op's card: fetched when they are to be shown.

import { useEffect, useState } from 'preact/hooks';
import type { DetailsId } from '../../../src/panels/messages';
import type { Details } from '../../../src/protocol';
import { usePage } from './page';
import { RequestFailure } from './rpc';

export interface FetchedDetails<Value> {
  readonly value: Value | null;
  /** Why they could not be had: a sentence. */
  readonly failure: string | null;
  readonly fetchAgain: () => void;
}

/**
 * Details of the page's run; null `params` ask for nothing. `params` is compared by its JSON, and what is returned is
 * never that of other params.
 */
export function useDetails<Id extends DetailsId>(
  details: Id,
  params: Details[Id]['params'] | null,
): FetchedDetails<Details[Id]['result']> {
  type Value = Details[Id]['result'];
  const { host, path } = usePage();
  const facts = host.facts.value;
  const [attempt, setAttempt] = useState(0);
  const [known, setKnown] = useState<{ readonly of: string; readonly value: Value } | null>(null);
  const [failed, setFailed] = useState<{ readonly key: string; readonly sentence: string } | null>(null);
  const of = JSON.stringify([path ?? facts?.shownRun?.path, params]);
  const run = path === null ? facts?.shownRunGeneration : null;
  const key = JSON.stringify([of, run, facts?.recordsGeneration, attempt]);
  const hasRun = path !== null || (facts?.shownRun ?? null) !== null;
  const canAsk = facts?.daemonState === 'running' && hasRun && params !== null;

  useEffect(() => {
    if (!canAsk) {
      return undefined;
    }
    const aborting = new AbortController();
    host.details(details, params, { signal: aborting.signal }).then(
      (value) => setKnown({ of, value }),
      (error: unknown) => {
        // What was cancelled is no longer wanted.
        if (error instanceof RequestFailure) {
          setFailed({ key, sentence: error.message });
        }
      },
    );
    return () => aborting.abort();
  }, [key, canAsk, details]);

  return {
    value: known?.of === of ? known.value : null,
    failure: failed?.key === key ? failed.sentence : null,
    fetchAgain: () => setAttempt((count) => count + 1),
  };
}
