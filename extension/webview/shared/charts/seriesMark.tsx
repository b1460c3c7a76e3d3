// How a series of a chart is drawn, for the legend: a piece of its line or its area.

import { isHighContrast, themeGeneration } from '../theme';
import type { Series } from './seriesOptions';

/** What tells the series of a chart from each other. */
export type SeriesLook = Pick<Series, 'hue' | 'kind' | 'dash' | 'isDim'>;

export function SeriesMark({ look }: { readonly look: SeriesLook | undefined }) {
  // Drawn anew in another theme.
  const generation = themeGeneration().value;
  if (look === undefined) {
    return null;
  }
  const isDim = look.isDim === true && isHighContrast();
  const opacity = look.kind === 'faintArea' ? 0.12 : isDim ? 1 : 0.4;
  const hue = `var(${look.hue})`;
  const isLine = look.kind === 'line';
  return (
    <svg key={generation} class="series-mark" width="20" height="12" aria-hidden="true">
      {isLine ? null : <rect width="20" height="12" style={{ fill: hue, fillOpacity: opacity }} />}
      {look.kind === 'hatchedArea' ? (
        <path d="M -4 12 L 8 0 M 2 12 L 14 0 M 8 12 L 20 0 M 14 12 L 26 0" style={{ stroke: 'var(--surface)' }} />
      ) : null}
      <line
        x1="0"
        x2="20"
        y1={isLine ? 6 : 1}
        y2={isLine ? 6 : 1}
        style={{ stroke: isDim ? 'var(--text)' : hue, strokeWidth: 1.5, strokeDasharray: (look.dash ?? []).join(' ') }}
      />
    </svg>
  );
}
