// A view of the shown run node by node beside what it was: what a panel asks for, with the options of its own record.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ComparedNode, ComparedTreeRecord, ComparedWith, Details } from '../../../src/protocol';
import { usePage } from '../page/page';
import { RequestFailure } from '../page/rpc';
import { useComparedWith } from './comparison';

export type ComparedViewId = 'comparedProfile' | 'comparedFlame' | 'comparedGraph' | 'comparedList';

export interface ComparedTree {
  readonly sides: ComparedWith;
  /** Null until it is known, or where it cannot be had. */
  readonly record: ComparedTreeRecord | null;
  /** Why it cannot be had: a sentence. */
  readonly failure: string | null;
  /** By the keys of the shown run's own record. */
  readonly byKey: ReadonlyMap<string, ComparedNode>;
}

interface Known {
  readonly of: string;
  readonly record: ComparedTreeRecord | null;
  readonly failure: string | null;
}

/**
 * Null where nothing is compared, or `params` are null. What was asked for with other options is never shown for these.
 */
export function useComparedTree<Id extends ComparedViewId>(
  id: Id,
  params: Details[Id]['params'] | null,
): ComparedTree | null {
  const { host } = usePage();
  const facts = host.facts.value;
  const shown = useComparedWith().value;
  const sides = params === null ? null : shown;
  const [known, setKnown] = useState<Known | null>(null);
  const of = sides === null ? null : JSON.stringify([sides, id, params]);
  const isAsked = of !== null && facts?.daemonState === 'running';
  const generations = [facts?.shownRunGeneration, facts?.recordsGeneration, facts?.comparisonGeneration];

  useEffect(() => {
    if (!isAsked || params === null) {
      return undefined;
    }
    const aborting = new AbortController();
    host.details(id, params, { signal: aborting.signal }).then(
      (record) => setKnown({ of, record, failure: null }),
      (error: unknown) => {
        if (error instanceof RequestFailure) {
          setKnown({ of, record: null, failure: error.message });
        }
      },
    );
    return () => aborting.abort();
  }, [of, isAsked, ...generations]);

  const { record, failure } = known?.of === of ? known : UNKNOWN;
  const byKey = useMemo(() => new Map(record?.nodes.map((node) => [node.key, node])), [record]);
  return sides === null ? null : { sides, record, failure, byKey };
}

const UNKNOWN = { record: null, failure: null };
