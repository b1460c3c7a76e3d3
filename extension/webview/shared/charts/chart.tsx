// One quantity over one axis as bars: with its readout, marked heights, the peak in words, and as a table.

import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import { usePage } from '../page/page';
import { numberColumn } from '../table/kinds';
import { dotted } from '../text/format';
import type { Quantity } from '../text/quantities';
import { Marks } from './marks';
import { PointTable } from './pointTable';
import { SeriesChart } from './seriesChart';
import type { Series, SeriesAxes } from './seriesOptions';
import type { Span } from './span';
import { TableToggle } from './tableToggle';

export interface Axis {
  readonly label: string;
  readonly values: readonly number[];
  readonly quantity: Quantity;
}

export function Chart(props: {
  /** What the chart shows, for assistive technology and as its heading. */
  readonly label: string;
  readonly x: Axis;
  readonly y: Axis;
  /** Heights that are marked across the chart. */
  readonly levels: readonly { readonly label: string; readonly value: number }[];
}) {
  const { label, x, y, levels } = props;
  const { saved } = usePage();
  const asTable = saved.signal(`chart.${label}.asTable`, false);
  const [point, setPoint] = useState<number | null>(null);
  const [shown, setShown] = useState<Span | null>(null);
  const peak = y.values.reduce((most, value, at) => (value > (y.values[most] ?? -Infinity) ? at : most), -1);
  const key = JSON.stringify([x.values, y.values]);
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: { label: '', values: x.values, text: x.quantity.text },
      y: { greatest: y.values[peak] ?? 0, text: y.quantity.text, steps: 'decimal' },
    }),
    [key],
  );
  const series = useMemo<readonly Series[]>(
    () => [{ values: y.values, hue: '--vscode-charts-blue', kind: 'bars' }],
    [key],
  );
  const columns = useMemo(
    () => [
      numberColumn<number>('x', x.label, x.quantity, (at) => x.values[at] ?? null),
      numberColumn<number>('y', y.label, y.quantity, (at) => y.values[at] ?? null, { fills: 1 }),
    ],
    [key],
  );
  const [at, value] = point === null ? [] : [x.values[point], y.values[point]];
  const [peakAt, most] = [x.values[peak], y.values[peak]];
  return (
    <figure class="chart" aria-label={label}>
      <figcaption>
        <span>{label}</span>
        <TableToggle asTable={asTable} />
      </figcaption>
      {asTable.value ? (
        <PointTable name={`chart.${label}`} label={label} columns={columns} points={x.values.length} />
      ) : (
        <>
          <p class="readout" aria-live="polite">
            {at === undefined || value === undefined
              ? l10n.t('Arrow keys read, + and − zoom, Escape resets')
              : `${x.label} ${x.quantity.text(at)}: ${y.quantity.text(value)} (${y.quantity.exact(value)})`}
          </p>
          <SeriesChart
            label={label}
            axes={axes}
            series={series}
            shown={shown}
            onShow={setShown}
            point={point}
            onRead={setPoint}
            onPick={setPoint}
            over={(place) => (
              <Marks
                place={place}
                marks={levels.map((level) => ({
                  kind: 'level',
                  key: level.label,
                  value: level.value,
                  text: '',
                  isQuiet: true,
                }))}
              />
            )}
          />
        </>
      )}
      <p class="quiet">
        {dotted([
          ...levels.map((level) => `${level.label} ${y.quantity.text(level.value)}`),
          peakAt === undefined || most === undefined
            ? null
            : l10n.t('peak {0} ({1} {2})', y.quantity.text(most), x.label, x.quantity.text(peakAt)),
        ])}
      </p>
    </figure>
  );
}
