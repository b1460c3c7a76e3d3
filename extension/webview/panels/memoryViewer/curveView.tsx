// Memory over the order of the program or of execution: the curve with its marks and the lifetimes that are looked at.

import * as l10n from '@vscode/l10n';
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { MemoryViewerRecord } from '../../../src/protocol';
import { boxStyle } from '../../shared/charts/box';
import { phaseColour, phaseFill } from '../../shared/charts/hatch';
import { Legend, phaseEntries } from '../../shared/charts/legend';
import { Marks } from '../../shared/charts/marks';
import { SeriesChart } from '../../shared/charts/seriesChart';
import type { Paint, Place, Series, SeriesAxes } from '../../shared/charts/seriesOptions';
import { ZoomBar } from '../../shared/charts/zoomBar';
import { present } from '../../shared/present';
import { greatest } from '../../shared/table/greatest';
import { byteSize, capacitySize, count, dotted } from '../../shared/text/format';
import { PHASES, themeColour } from '../../shared/theme';
import { estimateMark } from './buffers';
import { axisCount, backwardEnd, type Curve, isLevel, partsAlive, pointFacts, positionOf } from './curveData';
import { signedBytes } from './live';
import type { BufferSummary } from './bufferIndex';
import type { Viewer } from './viewer';

/** A capacity that is so many times the peak or more would flatten the curve. */
const CAPACITY_WITHIN = 1.5;
const BAND_PX = 6;
const ZOOM_BAR_PX = 24;

export function CurveView({ viewer }: { readonly viewer: Viewer }) {
  const { record, curve, mark, picked } = viewer;
  const [point, setPoint] = useState<number | null>(null);
  const capacity = record.totals?.capacity_bytes ?? null;
  const peak_bytes = curve.bytes[curve.peak] ?? 0;
  const withCapacity = capacity !== null && capacity <= peak_bytes * CAPACITY_WITHIN ? capacity : null;
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: {
        label: curve.kind === 'program' ? l10n.t('position') : l10n.t('op, as executed'),
        values: curve.places,
        text: axisCount,
      },
      y: { greatest: Math.max(peak_bytes, withCapacity ?? 0), text: byteSize },
    }),
    [curve, withCapacity],
  );
  const isPadded = useMemo(() => curve.bytes.some((bytes, at) => bytes !== curve.unpadded_bytes[at]), [curve]);
  const phases = useMemo(
    () => (curve.execution?.phases ?? []).map(({ phase }) => phase).filter((phase) => phase !== 'other'),
    [curve],
  );
  const isFlat = useMemo(() => isLevel(curve), [curve]);
  const isEstimated = record.basis === 'estimated';
  const series = useMemo(
    () =>
      present<Series>([
        {
          values: curve.bytes,
          hue: '--vscode-charts-blue',
          kind: 'area',
          ...(isEstimated ? { dash: [6, 3] } : {}),
        },
        isPadded
          ? {
              values: curve.unpadded_bytes,
              hue: '--vscode-charts-foreground',
              kind: 'line',
              dash: [2, 3],
            }
          : null,
      ]),
    [curve, isEstimated, isPadded],
  );
  const paint = useCallback<Paint>((context, place) => paintPhases(context, place, curve, 'ground'), [curve]);
  const paintOver = useCallback<Paint>((context, place) => paintPhases(context, place, curve, 'band'), [curve]);
  const drawWhole = useCallback(
    (context: CanvasRenderingContext2D, width_px: number, height_px: number) =>
      drawOutline(context, curve.bytes, width_px, height_px),
    [curve],
  );
  const label =
    curve.kind === 'program' ? l10n.t('Memory over program order') : l10n.t('Memory over the order of execution');
  const read = point ?? picked;
  return (
    <section class="chart-above memory-curve" aria-label={label}>
      <p class="readout" aria-live="polite">
        {read === null
          ? l10n.t(
              'Point or use arrow keys to read, click or Enter lists what is alive, P goes to the peak, drag or + and − zoom',
            )
          : pointText(viewer, read)}
      </p>
      <SeriesChart
        label={label}
        axes={axes}
        series={series}
        isStepped
        shown={viewer.shown}
        onShow={viewer.onShow}
        point={read}
        onRead={setPoint}
        onPick={viewer.listPoint}
        onLeave={viewer.leave}
        peak={curve.peak}
        paint={paint}
        paintOver={paintOver}
        over={(place) => (
          <>
            <LifetimeMarks kind="pinned" buffer={viewer.pinned} curve={curve} place={place} />
            <LifetimeMarks kind="hovered" buffer={viewer.hovered} curve={curve} place={place} />
            <Marks
              place={place}
              marks={[
                {
                  kind: 'peak',
                  at: isFlat ? null : (curve.places[curve.peak] ?? null),
                  text: l10n.t('peak {0}', `${mark}${byteSize(peak_bytes)}`),
                },
                withCapacity === null
                  ? null
                  : { kind: 'level', value: withCapacity, text: l10n.t('capacity {0}', capacitySize(withCapacity)) },
                { kind: 'forward', at: curve.execution?.forward_start ?? null, text: l10n.t('forward starts') },
                { kind: 'backward', at: backwardEnd(curve), text: l10n.t('backward ends') },
                { kind: 'picked', at: picked === null ? null : (curve.places[picked] ?? null) },
              ]}
            />
          </>
        )}
      />
      <ZoomBar
        label={l10n.t('Part of the program that is shown: arrow keys move it, plus and minus zoom')}
        whole={{ from: curve.places[0] ?? 0, to: (curve.places[0] ?? 0) + Math.max(1, curve.places.length - 1) }}
        shown={viewer.shown}
        least={2}
        height_px={ZOOM_BAR_PX}
        onShow={viewer.onShow}
        resetsByEscape
        text={({ from, to }) =>
          curve.kind === 'program'
            ? l10n.t('positions {0} to {1}', axisCount(from), axisCount(to))
            : l10n.t('ops {0} to {1}', axisCount(from), axisCount(to))
        }
        draw={drawWhole}
      />
      <Legend
        entries={[
          { mark: <span class="line-mark in-memory" aria-hidden="true" />, text: l10n.t('in memory') },
          isPadded
            ? { mark: <span class="line-mark unpadded" aria-hidden="true" />, text: l10n.t('without padding') }
            : null,
          ...phaseEntries(Object.fromEntries(phases.map((phase) => [phase, null]))),
        ]}
      />
    </section>
  );
}

/** In place of a chart of a program of which no step takes or gives back memory. */
export function NothingMoves(props: { readonly record: MemoryViewerRecord }) {
  const { record } = props;
  return (
    <section class="chart-above memory-curve" aria-label={l10n.t('Memory over program order')}>
      <p class="quiet">
        {l10n.t(
          'Nothing comes and goes in {0}: all {1} of this program are there throughout.',
          record.memory_space_name,
          `${estimateMark(record)}${byteSize(record.peak_bytes ?? 0)}`,
        )}
      </p>
    </section>
  );
}

/** Where a point is: over the order of execution which op it is, which its program position need not follow. */
function placeText(curve: Curve, point: number): string {
  const position = count(positionOf(curve, point));
  return curve.kind === 'program'
    ? l10n.t('position {0}', position)
    : l10n.t('op {0} · program position {1}', count(curve.places[point] ?? 0), position);
}

function pointText({ curve, own, mark }: Viewer, point: number): string {
  const facts = pointFacts(curve, point, own);
  return dotted([
    placeText(curve, point),
    facts.op === '' ? l10n.t('before all steps') : facts.op,
    facts.own_bytes === 0 ? null : l10n.t('makes {0}', `${mark}${byteSize(facts.own_bytes)}`),
    l10n.t('{0} in memory', `${mark}${byteSize(facts.bytes)}`),
    facts.unpadded_bytes === facts.bytes
      ? null
      : l10n.t('{0} without padding', `${mark}${byteSize(facts.unpadded_bytes)}`),
    facts.change_bytes === null ? null : changeText(curve.kind, `${mark}${signedBytes(facts.change_bytes)}`),
  ]);
}

/** A change is read from one point of the curve to the next, whichever order these are in. */
function changeText(kind: Curve['kind'], change: string): string {
  return kind === 'program' ? l10n.t('{0} from the position before', change) : l10n.t('{0} from the op before', change);
}

/** From where to where a buffer lives; as thick as it is large, on the scale of the curve. */
function LifetimeMarks(props: {
  readonly kind: 'pinned' | 'hovered';
  readonly buffer: BufferSummary | null;
  readonly curve: Curve;
  readonly place: Place;
}) {
  const { buffer, curve, place, kind } = props;
  const parts = useMemo(() => (buffer === null ? [] : partsAlive(curve, buffer)), [curve, buffer?.start, buffer?.end]);
  if (buffer === null) {
    return null;
  }
  const height_px = Math.max(3, place.y_px(0) - place.y_px(buffer.bytes));
  return (
    <>
      {parts
        .filter(({ from, to }) => to >= place.shown.from && from <= place.shown.to)
        .map(({ from, to }) => {
          const left_px = Math.max(-2, place.x_px(from) - place.left_px);
          const right_px = Math.min(place.width_px + 2, place.x_px(to) - place.left_px);
          return (
            <span
              key={from}
              class={`lifetime ${kind} of-${buffer.category}`}
              style={boxStyle({ left_px, width_px: Math.max(2, right_px - left_px), height_px })}
            />
          );
        })}
    </>
  );
}

/** The phases of what runs: as a tint of the ground, and as a band along the axis. */
function paintPhases(
  context: CanvasRenderingContext2D,
  place: Place,
  { execution }: Curve,
  part: 'ground' | 'band',
): void {
  const isGround = part === 'ground';
  const fills = new Map(PHASES.map((phase) => [phase, isGround ? phaseColour(phase) : phaseFill(context, phase)]));
  const top_px = isGround ? place.top_px : place.top_px + place.height_px - BAND_PX;
  context.globalAlpha = isGround ? 0.1 : 1;
  for (const { phase, start, end } of execution?.phases ?? []) {
    if (phase !== 'other' && end >= place.shown.from && start <= place.shown.to) {
      const left_px = place.x_px(start);
      context.fillStyle = fills.get(phase) ?? '';
      context.fillRect(left_px, top_px, Math.max(1, place.x_px(end) - left_px), isGround ? place.height_px : BAND_PX);
    }
  }
  context.globalAlpha = 1;
}

/** The greatest of each pixel's values as an area. */
function drawOutline(
  context: CanvasRenderingContext2D,
  values: readonly number[],
  width_px: number,
  height_px: number,
): void {
  const whole = greatest(values, (value) => value, 1);
  context.fillStyle = themeColour('--vscode-charts-blue');
  context.globalAlpha = 0.6;
  context.beginPath();
  context.moveTo(0, height_px);
  for (let x_px = 0; x_px <= width_px; x_px += 1) {
    const from = Math.floor((x_px / width_px) * (values.length - 1));
    const to = Math.max(from + 1, Math.floor(((x_px + 1) / width_px) * (values.length - 1)));
    const most = greatest(values.slice(from, to), (value) => value);
    context.lineTo(x_px, height_px - (most / whole) * (height_px - 2));
  }
  context.lineTo(width_px, height_px);
  context.fill();
  context.globalAlpha = 1;
}
