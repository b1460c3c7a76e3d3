// Two curves over each other, before and after, with a table of the same.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Legend } from '../../shared/charts/legend';
import { type LevelMark, Marks } from '../../shared/charts/marks';
import { PointTable } from '../../shared/charts/pointTable';
import { SeriesChart } from '../../shared/charts/seriesChart';
import { SeriesMark } from '../../shared/charts/seriesMark';
import type { Series, SeriesAxes } from '../../shared/charts/seriesOptions';
import type { Span } from '../../shared/charts/span';
import { TableToggle } from '../../shared/charts/tableToggle';
import { signed } from '../../shared/comparison/words';
import { usePage } from '../../shared/page/page';
import type { Column } from '../../shared/table/columns';
import { greatest } from '../../shared/table/greatest';
import { numberColumn } from '../../shared/table/kinds';
import { dotted } from '../../shared/text/format';
import { COUNT, type Quantity, UNKNOWN } from '../../shared/text/quantities';
import type { Written } from './basis';

export type Values = readonly (number | null)[];

export interface BothCurvesProps {
  /** What the table is saved as. */
  readonly name: string;
  readonly title: string;
  /** What the axis counts, and its values. */
  readonly axis: string;
  readonly places: readonly number[];
  readonly placeText: (place: number) => string;
  readonly quantity: Quantity;
  /** How values of either side and their change are written, where that is not the same. */
  readonly written?: Omit<Written, 'share'>;
  readonly before: Values;
  readonly after: Values;
  readonly isStepped?: boolean;
  /** Ticks are round in decimal units, not in binary ones. */
  readonly isDecimal?: boolean;
  readonly levels: readonly (LevelMark | null)[];
  /** What is said of the two, below the chart. */
  readonly notes: readonly [string, string];
  readonly tools?: ComponentChildren;
}

export function BothCurves(props: BothCurvesProps) {
  const { name, title, axis, places, placeText, quantity, before, after, isDecimal = false } = props;
  const { saved } = usePage();
  const asTable = saved.signal(`${name}.asTable`, false);
  const [point, setPoint] = useState<number | null>(null);
  const [shown, setShown] = useState<Span | null>(null);
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: { label: axis, values: places, text: placeText },
      y: {
        greatest: greatest([...before, ...after], (value) => value ?? 0),
        text: quantity.text,
        ...(isDecimal ? { steps: 'decimal' as const } : {}),
      },
    }),
    [axis, places, before, after, quantity, isDecimal],
  );
  const series = useMemo<readonly Series[]>(
    () => [
      { values: before, hue: '--vscode-charts-orange', kind: 'line', dash: [6, 3] },
      { values: after, hue: '--vscode-charts-blue', kind: 'line' },
    ],
    [before, after],
  );
  const columns = useMemo(() => columnsOf(props), [axis, places, before, after, quantity, props.written]);
  const written = writtenIn(props);
  const text = (of: Quantity, value: number | null | undefined): string =>
    value === null || value === undefined ? UNKNOWN : of.text(value);
  return (
    <>
      <div class="tool-row">
        {props.tools}
        <span class="spacer" />
        <TableToggle asTable={asTable} />
      </div>
      {asTable.value ? (
        <PointTable name={name} label={title} columns={columns} points={places.length} onSelect={setPoint} />
      ) : (
        <section class="chart-above both-curves" aria-label={title}>
          <p class="readout" aria-live="polite">
            {point === null
              ? dotted([title, l10n.t('point or use arrow keys to read, drag or + and − zoom')])
              : dotted([
                  `${axis} ${placeText(places[point] ?? 0)}`,
                  `${l10n.t('before')} ${text(written.before, before[point])}`,
                  `${l10n.t('after')} ${text(written.after, after[point])}`,
                ])}
          </p>
          <SeriesChart
            label={title}
            axes={axes}
            series={series}
            isStepped={props.isStepped ?? false}
            shown={shown}
            onShow={setShown}
            point={point}
            onRead={setPoint}
            onPick={setPoint}
            onLeave={() => setPoint(null)}
            over={(place) => <Marks place={place} marks={props.levels} />}
          />
          <Legend
            entries={[
              { mark: <SeriesMark look={series[0]} />, text: l10n.t('before'), note: props.notes[0] },
              { mark: <SeriesMark look={series[1]} />, text: l10n.t('after'), note: props.notes[1] },
            ]}
          />
        </section>
      )}
    </>
  );
}

function writtenIn({ quantity, written }: BothCurvesProps): Omit<Written, 'share'> {
  return written ?? { before: quantity, change: quantity, after: quantity };
}

function columnsOf(props: BothCurvesProps): readonly Column<number>[] {
  const { axis, places, before, after } = props;
  const written = writtenIn(props);
  const value = (id: 'before' | 'after', header: string, of: Values): Column<number> =>
    numberColumn<number>(id, header, written[id], (at) => of[at] ?? null);
  const change = (at: number): number | null => {
    const [one, other] = [before[at] ?? null, after[at] ?? null];
    return one === null || other === null ? null : other - one;
  };
  return [
    numberColumn<number>('place', axis, COUNT, (at) => places[at] ?? null, { width_px: 120 }),
    value('before', l10n.t('Before'), before),
    numberColumn<number>('change', l10n.t('Change'), written.change, change, {
      text: (at) => signed(change(at), written.change.text),
      exact: (at) => signed(change(at), written.change.exact),
    }),
    value('after', l10n.t('After'), after),
  ];
}
