// A chart of one quantity over another: read by hovering or by arrow keys, zoomed by dragging or by + and −, and as a
// table. The chart is drawn by uPlot.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { chartOptions, type Drawing, peakOf } from './chartOptions';
import { IconButton } from '../controls/elements';
import { usePage } from '../page/page';
import { useSize } from '../frame/size';
import { Table } from '../table/table';
import { tableState } from '../table/tableState';
import { themeGeneration } from '../theme';

const HEIGHT_PX = 160;
const TWIN_HEIGHT_PX = 240;

export interface ChartProps extends Drawing {
  /** What the chart shows, for assistive technology and as its heading. */
  readonly label: string;
}

export function Chart(props: ChartProps) {
  const { saved } = usePage();
  const asTable = saved.signal(`chart.${props.label}.asTable`, false);
  return (
    <figure class="chart" aria-label={props.label}>
      <figcaption>
        <span>{props.label}</span>
        <IconButton
          icon={asTable.value ? 'graph' : 'list-flat'}
          label={asTable.value ? l10n.t('Show as Chart') : l10n.t('Show as Table')}
          onPress={() => (asTable.value = !asTable.value)}
        />
      </figcaption>
      {asTable.value ? <TableTwin {...props} /> : <Canvas {...props} />}
      <p class="quiet">
        {[...props.levels.map(({ label, value }) => `${label} ${props.y.text(value)}`), ...peakText(props)].join(' · ')}
      </p>
    </figure>
  );
}

function peakText({ x, y }: ChartProps): readonly string[] {
  const peak = peakOf(y.values);
  const [at, value] = [x.values[peak], y.values[peak]];
  return at === undefined || value === undefined
    ? []
    : [l10n.t('peak {0} ({1} {2})', y.text(value), x.label, x.text(at))];
}

function Canvas(props: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const size = useSize(element);
  const [point, setPoint] = useState<number | null>(null);
  const generation = themeGeneration().value;
  const { x, y } = props;
  const width = size?.width_px ?? 0;

  useEffect(() => {
    if (element.current === null || width === 0) {
      return undefined;
    }
    const options = chartOptions(props, { width, height: HEIGHT_PX }, setPoint);
    const drawn = new uPlot(options, [[...x.values], [...y.values]], element.current);
    plot.current = drawn;
    return () => {
      drawn.destroy();
      plot.current = null;
    };
  }, [width, generation, x.values.join(), y.values.join(), props.kind]);

  const read = (index: number): void => {
    const at = x.values[index];
    const drawn = plot.current;
    if (at !== undefined && drawn !== null) {
      // The cursor's place is where the point is drawn; uPlot then tells which point that is.
      drawn.setCursor({ left: drawn.valToPos(at, 'x'), top: 0 });
    }
  };
  const zoom = (factor: number): void => {
    const drawn = plot.current;
    const middle = x.values[point ?? Math.floor(x.values.length / 2)];
    if (drawn === null || middle === undefined) {
      return;
    }
    const { min = 0, max = 0 } = drawn.scales['x'] ?? {};
    const half = ((max - min) * factor) / 2;
    drawn.setScale('x', {
      min: Math.max(x.values[0] ?? 0, middle - half),
      max: Math.min(x.values.at(-1) ?? 0, middle + half),
    });
  };
  const reset = (): void => plot.current?.setScale('x', { min: x.values[0] ?? 0, max: x.values.at(-1) ?? 0 });

  const onKeyDown = (event: KeyboardEvent): void => {
    const last = x.values.length - 1;
    switch (event.key) {
      case 'ArrowRight':
        read(Math.min(last, (point ?? -1) + 1));
        break;
      case 'ArrowLeft':
        read(Math.max(0, (point ?? last + 1) - 1));
        break;
      case 'Home':
        read(0);
        break;
      case 'End':
        read(last);
        break;
      case '+':
        zoom(0.5);
        break;
      case '-':
        zoom(2);
        break;
      case 'Escape':
        reset();
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  const [at, value] = point === null ? [] : [x.values[point], y.values[point]];
  return (
    <>
      <p class="readout" aria-live="polite">
        {at === undefined || value === undefined
          ? l10n.t('Arrow keys read, + and − zoom, Escape resets')
          : `${x.label} ${x.text(at)}: ${y.text(value)}${y.exact === undefined ? '' : ` (${y.exact(value)})`}`}
      </p>
      <div
        class="canvas"
        role="application"
        aria-label={props.label}
        tabIndex={0}
        ref={element}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

/** The same numbers as a table. */
function TableTwin(props: ChartProps) {
  const { saved } = usePage();
  const { x, y } = props;
  const state = tableState(saved, `chart.${props.label}`, { column: 'x', descending: false });
  const roots = useMemo(() => x.values.map((_, index) => index), [x.values.length]);
  const columns = useMemo(
    () =>
      [x, y].map((axis, position) => ({
        id: position === 0 ? 'x' : 'y',
        title: axis.label,
        width_px: 96,
        fills: position,
        align: 'end' as const,
        value: (index: number) => axis.values[index] ?? null,
        text: (index: number) => axis.text(axis.values[index] ?? 0),
        exact: (index: number) => (axis.exact ?? axis.text)(axis.values[index] ?? 0),
      })),
    [x.values.join(), y.values.join()],
  );
  return (
    <div class="table-twin" style={{ height: `${String(TWIN_HEIGHT_PX)}px` }}>
      <Table
        label={props.label}
        columns={columns}
        state={state}
        search=""
        roots={roots}
        keyOf={String}
        onOpen={() => false}
        nothingFound=""
      />
    </div>
  );
}
