// The chart of an answer. What it draws is in the table as well.

import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import type { QueryAnswer } from '../../../src/protocol';
import { Meter } from '../../shared/charts/cells';
import { Legend } from '../../shared/charts/legend';
import { SeriesChart } from '../../shared/charts/seriesChart';
import { SeriesMark } from '../../shared/charts/seriesMark';
import type { Series, SeriesAxes } from '../../shared/charts/seriesOptions';
import type { Span } from '../../shared/charts/span';
import { LineLink } from '../../shared/controls/lineLink';
import { fileName } from '../../shared/op/words';
import { greatest } from '../../shared/table/greatest';
import { count } from '../../shared/text/format';
import type { AnswerRow } from './answerRows';
import type { BarChart, ChartKind, CurveChart } from './chartOf';
import { numberAt, quantityOf, textOf } from './columns';
import { ReadChart } from './reading';
import { Scatter } from './scatter';

const MOST_BARS = 60;
const HUES: readonly `--${string}`[] = [
  '--vscode-charts-blue',
  '--vscode-scopelight-phaseForward',
  '--vscode-scopelight-phaseBackward',
  '--vscode-scopelight-phaseOptimizer',
];
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

interface ChartProps<Kind> {
  readonly answer: QueryAnswer;
  readonly rows: readonly AnswerRow[];
  readonly chart: Kind;
}

export function AnswerChart({ chart, ...rest }: ChartProps<ChartKind>) {
  switch (chart.kind) {
    case 'bars':
      return <Bars {...rest} chart={chart} />;
    case 'curve':
      return <Curve {...rest} chart={chart} />;
    case 'points':
      return <Scatter {...rest} chart={chart} />;
  }
}

function Bars({ answer, rows, chart }: ChartProps<BarChart>) {
  const column = answer.columns[chart.value];
  if (column === undefined) {
    return null;
  }
  const quantity = quantityOf(column);
  const shown = rows.slice(0, MOST_BARS);
  const longest = greatest(shown, ({ values }) => Math.abs(numberAt(values, chart.value) ?? 0));
  const hasLines = answer.columns.some(({ name }) => name === 'line');
  return (
    <section class="answer-bars" aria-label={l10n.t('{0} by row', column.name)} tabIndex={0}>
      <ol>
        {shown.map((row) => {
          const value = numberAt(row.values, chart.value);
          return (
            <li key={row.key}>
              <span class="bar-name" title={nameOf(row, answer, chart, true)}>
                {hasLines && row.line !== null && row.file !== null ? <LineLink place={row} /> : null}
                <span class="ellipsis">{nameOf(row, answer, chart, false)}</span>
              </span>
              <Meter ratio={longest === 0 ? 0 : Math.abs(value ?? 0) / longest} />
              <span class="bar-value" title={value === null ? '' : quantity.exact(value)}>
                {value === null ? l10n.t('NULL') : quantity.text(value)}
              </span>
            </li>
          );
        })}
      </ol>
      {rows.length > MOST_BARS ? (
        <p class="quiet">{l10n.t('The first {0} of {1} rows.', count(MOST_BARS), count(rows.length))}</p>
      ) : null}
    </section>
  );
}

/** What a bar is of; where the line stands before it as a link, without the place. */
function nameOf(row: AnswerRow, answer: QueryAnswer, { names }: BarChart, isWhole: boolean): string {
  const isLinked = row.line !== null && row.file !== null;
  if (names.length === 0) {
    return l10n.t('row {0}', Number(row.key) + 1);
  }
  return names
    .filter((at) => isWhole || !isLinked || !['path', 'line'].includes(answer.columns[at]?.name ?? ''))
    .map((at) => {
      const text = textOf(row.values[at] ?? null) ?? l10n.t('NULL');
      return answer.columns[at]?.name === 'path' && !isWhole ? fileName(text) : text;
    })
    .join(' · ');
}

function Curve({ answer, rows, chart }: ChartProps<CurveChart>) {
  const [shown, setShown] = useState<Span | null>(null);
  const [read, setRead] = useState<number | null>(null);
  const { x, values } = chart;
  const [of, over] = [answer.columns[values[0] ?? 0], answer.columns[x]];
  const series = useMemo<readonly Series[]>(
    () =>
      values.map((at, place) => ({
        values: rows.map((row) => numberAt(row.values, at)),
        hue: HUES[place] ?? '--vscode-charts-blue',
        kind: 'line',
        dash: DASHES[place] ?? [],
      })),
    [rows, chart],
  );
  const axes = useMemo<SeriesAxes | null>(() => {
    if (of === undefined || over === undefined) {
      return null;
    }
    const quantity = quantityOf(of);
    const along = quantityOf(over);
    return {
      x: {
        label: over.unit === null ? over.name : '',
        values: rows.map((row) => numberAt(row.values, x) ?? 0),
        text: (value) => along.text(value),
      },
      y: {
        greatest: greatest(values, (at) => greatest(rows, (row) => numberAt(row.values, at) ?? 0)),
        text: (value) => quantity.text(value),
        ...(of.unit === 'bytes' ? {} : { steps: 'decimal' as const }),
      },
    };
  }, [rows, chart]);
  if (axes === null || of === undefined || over === undefined) {
    return null;
  }
  const label = l10n.t('{0} over {1}', of.name, over.name);
  const row = read === null ? undefined : rows[read];
  return (
    <ReadChart label={label} answer={answer} row={row} columns={[x, ...values]}>
      <SeriesChart
        label={label}
        axes={axes}
        series={series}
        shown={shown}
        onShow={setShown}
        point={read}
        onRead={setRead}
        onPick={setRead}
      />
      {values.length < 2 ? null : (
        <Legend
          entries={values.map((at, place) => ({
            mark: <SeriesMark look={series[place]} />,
            text: answer.columns[at]?.name ?? '',
          }))}
        />
      )}
    </ReadChart>
  );
}
