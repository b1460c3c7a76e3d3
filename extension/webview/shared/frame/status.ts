// The status line of every panel: what is found, what is shown, what is left out, how long it took.

import * as l10n from '@vscode/l10n';
import { useContext } from 'preact/hooks';
import { ReadTime } from '../page/record';
import { count, dotted, measuredDuration } from '../text/format';

/** Parts that are null are left out. */
export function useStatusLine(parts: readonly (string | null)[]): string {
  const took_ms = useContext(ReadTime);
  const took = took_ms === null ? null : l10n.t('read in {0}', measuredDuration(took_ms * 1e9));
  return dotted([...parts, took]);
}

/** How many rows a search has found, in a tree or of `all`; null without a search. */
export function foundText(search: string, found: number, all: number | null = null): string | null {
  const words = search.trim();
  return words === ''
    ? null
    : all !== null
      ? l10n.t('{0} of {1} rows have “{2}”', count(found), count(all), words)
      : found === 1
        ? l10n.t('1 row has “{0}”', words)
        : l10n.t('{0} rows have “{1}”', count(found), words);
}
