// The chart of an answer that has two numbers and no name: a point for each row, one number over the other.

import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import type { QueryAnswer } from '../../../src/protocol';
import { SeriesChart } from '../../shared/charts/seriesChart';
import type { Paint, Series, SeriesAxes } from '../../shared/charts/seriesOptions';
import type { Span } from '../../shared/charts/span';
import { greatest } from '../../shared/table/greatest';
import { themeColour } from '../../shared/theme';
import type { AnswerRow } from './answerRows';
import type { PointChart } from './chartOf';
import { numberAt, quantityOf } from './columns';
import { ReadChart } from './reading';

const READ_RADIUS_PX = 5;
/** Points as near as this part of the axis are told apart by how high they are. */
const NEAR_RATIO = 0.01;

interface Point {
  readonly row: AnswerRow;
  readonly x: number;
  readonly y: number;
}

export function Scatter(props: {
  readonly answer: QueryAnswer;
  readonly rows: readonly AnswerRow[];
  readonly chart: PointChart;
}) {
  const { answer, rows, chart } = props;
  const [shown, setShown] = useState<Span | null>(null);
  const [read, setRead] = useState<number | null>(null);
  const [over, of] = [answer.columns[chart.x], answer.columns[chart.y]];
  const points = useMemo(() => pointsOf(rows, chart), [rows, chart]);
  const series = useMemo<readonly Series[]>(
    () => [{ values: points.map(({ y }) => y), hue: '--vscode-charts-blue', kind: 'points' }],
    [points],
  );
  const axes = useMemo<SeriesAxes | null>(() => {
    if (over === undefined || of === undefined) {
      return null;
    }
    const [along, up] = [quantityOf(over), quantityOf(of)];
    return {
      x: { label: over.name, values: points.map(({ x }) => x), text: along.text, hasParts: true },
      y: {
        label: of.name,
        greatest: greatest(points, ({ y }) => y),
        text: up.text,
        showsZero: true,
        ...(of.unit === 'bytes' ? {} : { steps: 'decimal' as const }),
      },
    };
  }, [points, over, of]);
  const point = read === null ? undefined : points[read];
  const paintOver = useMemo<Paint>(
    () => (context, place) => {
      if (point !== undefined) {
        context.strokeStyle = themeColour('--text');
        context.lineWidth = 2;
        context.beginPath();
        context.arc(place.x_px(point.x), place.y_px(point.y), READ_RADIUS_PX, 0, 2 * Math.PI);
        context.stroke();
      }
    },
    [point],
  );
  if (axes === null || over === undefined || of === undefined) {
    return null;
  }
  const label = l10n.t('{0} over {1}', of.name, over.name);
  return (
    <ReadChart label={label} answer={answer} row={point?.row} columns={[...answer.columns.keys()]}>
      <SeriesChart
        label={label}
        axes={axes}
        series={series}
        shown={shown}
        onShow={setShown}
        point={read}
        onRead={(at, height) => setRead(at === null || height === null ? at : nearest(points, at, height))}
        onPick={setRead}
        paintOver={paintOver}
      />
    </ReadChart>
  );
}

/** In the order of the axis; rows without one of the numbers are no points. */
function pointsOf(rows: readonly AnswerRow[], chart: PointChart): readonly Point[] {
  return rows
    .flatMap((row): readonly Point[] => {
      const [x, y] = [numberAt(row.values, chart.x), numberAt(row.values, chart.y)];
      return x === null || y === null ? [] : [{ row, x, y }];
    })
    .sort((one, other) => one.x - other.x);
}

/** Of the points beside one the nearest to a height. */
function nearest(points: readonly Point[], at: number, height: number): number {
  const middle = points[at]?.x ?? 0;
  const near = ((points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0)) * NEAR_RATIO;
  const isNear = (point: Point | undefined): boolean => point !== undefined && Math.abs(point.x - middle) <= near;
  let found = at;
  const distance = (position: number): number => Math.abs((points[position]?.y ?? 0) - height);
  for (const step of [-1, 1]) {
    for (let position = at + step; isNear(points[position]); position += step) {
      found = distance(position) < distance(found) ? position : found;
    }
  }
  return found;
}
