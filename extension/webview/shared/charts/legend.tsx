// What the marks of a chart mean, below it.

import type { ComponentChildren } from 'preact';
import { timeShare } from '../text/format';
import { phaseName } from '../text/phases';
import { type Phase, PHASES } from '../theme';
import { Swatch } from './cells';

export interface LegendEntry {
  readonly mark?: ComponentChildren;
  readonly text: string;
  readonly note?: string;
}

/** Entries that are null are not shown. */
export function Legend(props: { readonly entries: readonly (LegendEntry | null)[] }) {
  return (
    <ul class="legend">
      {props.entries.map((entry) =>
        entry === null ? null : (
          <li key={entry.text} class={entry.mark === undefined ? 'quiet' : ''}>
            {entry.mark}
            {entry.text}
            {entry.note === undefined ? null : <span class="quiet"> {entry.note}</span>}
          </li>
        ),
      )}
    </ul>
  );
}

/** The phases that there are, with their share where it is known: of times, unless it is written otherwise. */
export function phaseEntries(
  shares: Readonly<Partial<Record<Phase, number | null>>>,
  shareText: (ratio: number) => string = timeShare,
): readonly LegendEntry[] {
  return PHASES.flatMap((phase) => {
    const ratio = shares[phase];
    return ratio === undefined || ratio === 0
      ? []
      : [
          {
            mark: <Swatch hue={phase} />,
            text: phaseName(phase),
            ...(ratio === null ? {} : { note: shareText(ratio) }),
          },
        ];
  });
}
