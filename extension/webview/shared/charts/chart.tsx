// One quantity over one axis as bars: with its readout, marked heights, the peak in words, and as a table.

import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import { usePage } from '../page/page';
import { numberColumn } from '../table/kinds';
import { Table } from '../table/table';
import { tableState } from '../table/tableState';
import type { Quantity } from '../text/quantities';
import { Marks } from './marks';
import { SeriesChart } from './seriesChart';
import type { Series, SeriesAxes } from './seriesOptions';
import type { Span } from './span';
import { TableToggle } from './tableToggle';

export interface Axis {
  readonly label: string;
  readonly values: readonly number[];
  readonly quantity: Quantity;
}

export interface ChartProps {
  /** What the chart shows, for assistive technology and as its heading. */
  readonly label: string;
  readonly x: Axis;
  readonly y: Axis;
  /** Heights that are marked across the chart. */
  readonly levels: readonly { readonly label: string; readonly value: number }[];
  readonly hue: `--${string}`;
}

export function Chart(props: ChartProps) {
  const { label, x, y, levels } = props;
  const { saved } = usePage();
  const asTable = saved.signal(`chart.${label}.asTable`, false);
  const peak = y.values.reduce((most, value, at) => (value > (y.values[most] ?? -Infinity) ? at : most), -1);
  const [at, value] = [x.values[peak], y.values[peak]];
  return (
    <figure class="chart" aria-label={label}>
      <figcaption>
        <span>{label}</span>
        <TableToggle asTable={asTable} />
      </figcaption>
      {asTable.value ? <TableTwin {...props} /> : <Bars {...props} />}
      <p class="quiet">
        {[
          ...levels.map((level) => `${level.label} ${y.quantity.text(level.value)}`),
          ...(at === undefined || value === undefined
            ? []
            : [l10n.t('peak {0} ({1} {2})', y.quantity.text(value), x.label, x.quantity.text(at))]),
        ].join(' · ')}
      </p>
    </figure>
  );
}

function Bars({ label, x, y, levels, hue }: ChartProps) {
  const [point, setPoint] = useState<number | null>(null);
  const [shown, setShown] = useState<Span | null>(null);
  const key = JSON.stringify([x.values, y.values]);
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: { label: '', values: x.values, text: x.quantity.text },
      y: {
        greatest: y.values.reduce((most, each) => Math.max(most, each), 0),
        text: y.quantity.text,
        steps: 'decimal',
      },
    }),
    [key],
  );
  const series = useMemo<readonly Series[]>(() => [{ label: y.label, values: y.values, hue, kind: 'bars' }], [key]);
  const [at, value] = point === null ? [] : [x.values[point], y.values[point]];
  return (
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
            marks={levels.map(({ label: key, value: height }) => ({
              kind: 'level',
              key,
              value: height,
              text: '',
              isQuiet: true,
            }))}
          />
        )}
      />
    </>
  );
}

/** The same numbers as a table. */
function TableTwin({ label, x, y }: ChartProps) {
  const { saved } = usePage();
  const state = tableState(saved, `chart.${label}`, { column: 'x', descending: false });
  const positions = useMemo(() => x.values.map((_, at) => at), [x.values.length]);
  const columns = useMemo(
    () => [
      numberColumn<number>('x', x.label, x.quantity, (at) => x.values[at] ?? null),
      numberColumn<number>('y', y.label, y.quantity, (at) => y.values[at] ?? null, { fills: 1 }),
    ],
    [JSON.stringify([x.values, y.values])],
  );
  return (
    <div class="table-twin">
      <Table label={label} columns={columns} state={state} roots={positions} keyOf={String} />
    </div>
  );
}
