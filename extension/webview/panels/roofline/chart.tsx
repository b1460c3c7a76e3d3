// The roofline as a chart: read by hovering or by arrow keys, zoomed by dragging or by + and −. What it shows is in the
// table below as well.

import * as l10n from '@vscode/l10n';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RooflineCeiling, RooflineRoof, RooflineRow } from '../../../src/protocol';
import { type Box, boxStyle } from '../../shared/charts/box';
import { DrawnCanvas } from '../../shared/charts/canvas';
import { Legend, type LegendEntry } from '../../shared/charts/legend';
import { movedTo, positionOf, valueAt, within, zoomed } from '../../shared/charts/logScale';
import { byteRate, dotted, duration, flopRate, intensity, timeShare } from '../../shared/text/format';
import { boundByText } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { useSize } from '../../shared/frame/size';
import { useDrag } from '../../shared/controls/drag';
import { walkByKey } from '../../shared/controls/walkKeys';
import { BoundMark, boundMeaning } from './marks';
import { drawRoofline } from './picture';
import {
  boundOf,
  BOUNDS,
  ceilingOf,
  isInside,
  nearestPoint,
  type Place,
  placeOf,
  type Plot,
  plotOf,
  pointsOf,
  radiusOf,
  rowName,
  rowsBeyond,
  type Scales,
  scalesOf,
  shareOfLimit,
  type View,
  viewWith,
  wholeView,
} from './points';
import { timed } from '../../shared/text/basis';

const REACH_PX = 24;
/** What is dragged less is a click; in a direction in which it is less, nothing is zoomed. */
const BRUSH_FROM_PX = 6;

interface Brush {
  readonly from: Place;
  readonly to: Place;
}

export interface RooflineChartProps {
  /** All rows of the choice, by which the chart has its extent. */
  readonly all: readonly RooflineRow[];
  /** Those of them that are shown, the longest first. */
  readonly rows: readonly RooflineRow[];
  readonly roofs: readonly RooflineRoof[];
  readonly ceilings: readonly RooflineCeiling[];
  /** What is shown: what was zoomed to, or what the axes are fitted to. */
  readonly shown: View;
  /** Whether a person zoomed. */
  readonly isZoomed: boolean;
  /** Null: what the axes are fitted to. */
  readonly onView: (view: View | null) => void;
  readonly selected: RooflineRow | null;
  readonly onSelect: (row: RooflineRow) => void;
}

export function RooflineChart(props: RooflineChartProps) {
  const { all, rows, roofs, ceilings, selected, shown } = props;
  const { host } = usePage();
  const label = l10n.t('FLOP rate over intensity');
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const [hovered, setHovered] = useState<RooflineRow | null>(null);
  const [brush, setBrush] = useState<Brush | null>(null);
  const hasBrushed = useRef(false);
  const [width_px, height_px] = [size?.width_px ?? 0, size?.height_px ?? 0];
  const whole = useMemo(() => wholeView(all, roofs), [all, roofs]);
  const present = useMemo(() => new Set(rows.map(boundOf)), [rows]);
  const plot = useMemo(() => plotOf(width_px, height_px), [width_px, height_px]);
  const scales = useMemo(() => scalesOf(shown, plot), [shown, plot]);
  const points = useMemo(() => pointsOf(rows, scales, plot), [rows, scales, plot]);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => drawRoofline(context, { points, roofs, ceilings, scales, plot }),
    [points, roofs, ceilings],
  );

  // A point that is selected elsewhere, or by a key, comes into sight.
  useEffect(() => {
    if (selected === null) {
      return;
    }
    const x = movedTo(shown.x, selected.intensity_flops_per_byte);
    const y = movedTo(shown.y, selected.flops_per_s);
    if (props.isZoomed && (x.from !== shown.x.from || y.from !== shown.y.from)) {
      props.onView({ x, y });
    } else if (!props.isZoomed && rowsBeyond([selected], shown).length > 0) {
      props.onView(viewWith(shown, selected));
    }
  }, [selected]);

  const placeOfEvent = (event: MouseEvent): Place => {
    const box = place.current?.getBoundingClientRect();
    return { x_px: event.clientX - (box?.left ?? 0), y_px: event.clientY - (box?.top ?? 0) };
  };
  const nearest = (event: MouseEvent): RooflineRow | null =>
    nearestPoint(points, placeOfEvent(event), REACH_PX)?.row ?? null;
  const zoomToBrush = ({ from, to }: Brush): void => {
    const { width_px: across_px, height_px: up_px } = boxOf({ from, to });
    const [wide, high] = [across_px >= BRUSH_FROM_PX, up_px >= BRUSH_FROM_PX];
    const x = { from: valueAt(scales.x, from.x_px), to: valueAt(scales.x, to.x_px) };
    const y = { from: valueAt(scales.y, from.y_px), to: valueAt(scales.y, to.y_px) };
    if (wide || high) {
      props.onView({ x: wide ? within(x, whole.x) : shown.x, y: high ? within(y, whole.y) : shown.y });
    }
  };
  const zoomBy = (factor: number): void => {
    const x = selected?.intensity_flops_per_byte ?? Math.sqrt(shown.x.from * shown.x.to);
    const y = selected?.flops_per_s ?? Math.sqrt(shown.y.from * shown.y.to);
    props.onView({ x: zoomed(shown.x, x, factor, whole.x), y: zoomed(shown.y, y, factor, whole.y) });
  };
  const onKeyDown = (event: KeyboardEvent): void =>
    walkByKey(event, {
      rows,
      chosen: selected,
      onWalk: (row) => {
        setHovered(null);
        props.onSelect(row);
      },
      onOpen: (row) => host.goToLineOf(row),
      onKey: (key) => {
        const factor = { '+': 0.5, '=': 0.5, '-': 2 }[key];
        if (factor !== undefined) {
          zoomBy(factor);
        } else if (key === 'Escape') {
          props.onView(null);
        }
        return factor !== undefined || key === 'Escape';
      },
    });

  const drag = useDrag<Place>({
    take: (event) => {
      const from = placeOfEvent(event);
      hasBrushed.current = false;
      return event.button === 0 && isInside(plot, from.x_px, from.y_px) ? from : null;
    },
    move: (from, event) => setBrush({ from, to: clamped(placeOfEvent(event), plot) }),
    drop: (_, event) => {
      if (brush !== null && event !== undefined) {
        hasBrushed.current = isBrushed(brush);
        zoomToBrush(brush);
      }
      setBrush(null);
    },
  });
  const read = hovered !== null && rows.includes(hovered) ? hovered : selected;
  return (
    <section class="roofline-chart" aria-label={label}>
      <p class="readout" aria-live="polite">
        {read === null
          ? l10n.t('Arrow keys walk by time, Enter goes to the line, drag or + and − zoom, Escape resets')
          : readout(read, ceilingOf(read, ceilings, roofs))}
      </p>
      <div
        class="roofline-place"
        role="application"
        aria-roledescription={l10n.t('chart')}
        aria-label={label}
        tabIndex={0}
        ref={place}
        onKeyDown={onKeyDown}
        {...drag}
        onPointerMove={(event) => {
          if (brush === null) {
            setHovered(nearest(event));
          }
          drag.onPointerMove(event);
        }}
        onPointerLeave={() => setHovered(null)}
        onClick={(event) => {
          const row = hasBrushed.current ? null : nearest(event);
          if (row !== null) {
            props.onSelect(row);
          }
        }}
        onDblClick={(event) => {
          const row = nearest(event);
          if (row === null) {
            props.onView(null);
          } else {
            host.goToLineOf(row);
          }
        }}
      >
        {all.length === 0 ? (
          <p class="quiet nothing-drawn">{l10n.t('Nothing has both FLOPs and bytes in this memory.')}</p>
        ) : (
          <DrawnCanvas size={{ width_px, height_px }} draw={draw} />
        )}
        <Mark kind="hovered" row={hovered === read ? hovered : null} {...{ scales, plot }} />
        <Mark kind="chosen" row={selected} {...{ scales, plot }} />
        {brush !== null && isBrushed(brush) ? (
          <span class="brush" aria-hidden="true" style={boxStyle(boxOf(brush))} />
        ) : null}
      </div>
      <Legend
        entries={[
          ...BOUNDS.filter((bound) => present.has(bound)).map((bound) => ({
            mark: <BoundMark bound={bound} />,
            text: boundMeaning(bound),
          })),
          // In the chart not every label has room.
          ...roofs.map(roofText),
          ...(roofs.length === 0 ? [] : ceilings.map(ceilingText)),
        ]}
      />
    </section>
  );
}

/** A row in one line, with the rate that a ceiling above its limit allows. */
export function readout(row: RooflineRow, ceiling_flops_per_s: number | null = null): string {
  const ofLimit = shareOfLimit(row);
  return dotted([
    rowName(row),
    intensity(row.intensity_flops_per_byte),
    timed(flopRate(row.flops_per_s)),
    ofLimit === null || row.limit_flops_per_s === null
      ? null
      : l10n.t('{0} of the limit of {1}', timeShare(ofLimit), flopRate(row.limit_flops_per_s)),
    ceiling_flops_per_s === null ? null : l10n.t('{0} from caches', flopRate(ceiling_flops_per_s)),
    row.bound_by === null ? null : l10n.t('bound by {0}', boundByText(row.bound_by)),
    l10n.t('{0}, {1} of op time', duration(row.self_ps), timeShare(row.share_ratio)),
  ]);
}

function isBrushed(brush: Brush): boolean {
  const { width_px, height_px } = boxOf(brush);
  return Math.max(width_px, height_px) >= BRUSH_FROM_PX;
}

function clamped({ x_px, y_px }: Place, plot: Plot): Place {
  return {
    x_px: Math.min(Math.max(x_px, plot.left_px), plot.right_px),
    y_px: Math.min(Math.max(y_px, plot.top_px), plot.bottom_px),
  };
}

/** A ring about a point, and how far it is below its limit. */
function Mark(props: {
  readonly kind: 'hovered' | 'chosen';
  readonly row: RooflineRow | null;
  readonly scales: Scales;
  readonly plot: Plot;
}) {
  const { row, scales, kind } = props;
  if (row === null) {
    return null;
  }
  const [x_px, y_px] = placeOf(row, scales);
  if (!isInside(props.plot, x_px, y_px)) {
    return null;
  }
  const radius_px = radiusOf(row) + 3;
  const limit_px =
    row.limit_flops_per_s === null ? y_px : Math.max(scales.y.end_px, positionOf(scales.y, row.limit_flops_per_s));
  return (
    <>
      <span
        class={`point-mark ${kind}`}
        aria-hidden="true"
        style={boxStyle({
          left_px: x_px - radius_px,
          top_px: y_px - radius_px,
          width_px: 2 * radius_px,
          height_px: 2 * radius_px,
        })}
      />
      {limit_px < y_px - radius_px ? (
        <span
          class={`limit-mark ${kind}`}
          aria-hidden="true"
          style={boxStyle({ left_px: Math.round(x_px), top_px: limit_px, height_px: y_px - radius_px - limit_px })}
        />
      ) : null}
    </>
  );
}

function boxOf({ from, to }: Brush): Box {
  return {
    left_px: Math.min(from.x_px, to.x_px),
    top_px: Math.min(from.y_px, to.y_px),
    width_px: Math.abs(to.x_px - from.x_px),
    height_px: Math.abs(to.y_px - from.y_px),
  };
}

function ceilingText({ bytes_per_s }: RooflineCeiling): LegendEntry {
  return { text: l10n.t('caches: {0}, a ceiling that no op is bound by', byteRate(bytes_per_s)) };
}

function roofText(roof: RooflineRoof): LegendEntry {
  const ridge = intensity(roof.ridge_flops_per_byte);
  return { text: l10n.t('{0}: {1}, ridge at {2}', roof.element_type, flopRate(roof.flops_per_s), ridge) };
}
