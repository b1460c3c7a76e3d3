// What another panel selected is selected here too.

import { useEffect, useRef } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import { usePage } from './page';

/**
 * Calls `follow` with the selection that panels share when it changes, when it is to be shown again, or when `shown`
 * does: a record in another arrangement. Once for each: what the person then selects here stays selected.
 */
export function useSharedSelection(shown: string, follow: (selection: Selection) => void): void {
  const { host } = usePage();
  const selection = host.facts.value?.selection ?? null;
  const wanted = JSON.stringify([shown, selection, host.facts.value?.selectionGeneration]);
  const followed = useRef<string | null>(null);
  useEffect(() => {
    if (selection !== null && followed.current !== wanted) {
      followed.current = wanted;
      follow(selection);
    }
  }, [wanted]);
}
