// What another panel selected is selected here too.

import { useEffect, useRef } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import { usePage } from './page';

/**
 * Calls `follow` with the selection that panels share when it changes, when it is to be shown again (`isAskedFor`), or
 * when `arrangement`, that of the record, does. Once for each: what the person then selects here stays selected.
 */
export function useSharedSelection(
  arrangement: string,
  follow: (selection: Selection, isAskedFor: boolean) => void,
): void {
  const { host } = usePage();
  const { selection = null, selectionGeneration: generation = null } = host.facts.value ?? {};
  const wanted = JSON.stringify([arrangement, selection, generation]);
  const followed = useRef<{ readonly wanted: string; readonly generation: number | null } | null>(null);
  useEffect(() => {
    const before = followed.current;
    if (selection !== null && before?.wanted !== wanted) {
      followed.current = { wanted, generation };
      follow(selection, before !== null && before.generation !== generation);
    }
  }, [wanted]);
}
