// Intervals that were marked: over the picture whatever tool is in hand. Their edges move by pointer and by keys.

import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { useDrag } from '../../../shared/controls/drag';
import { IconButton } from '../../../shared/controls/elements';
import { duration, exactDuration } from '../../../shared/text/format';
import type { Timeline } from '../state/controller';
import { useLabelInSight } from '../drawing/labelInSight';
import { placeOf, px } from '../drawing/place';
import type { Timing } from '../state/state';
import type { Span } from '../state/viewport';
import { movedEdge, replaced } from '../tools/timings';

/** What an arrow key moves an edge by; with Shift. */
const KEY_PX = 1;
const FAST_KEY_PX = 10;

export function Intervals(props: { readonly timeline: Timeline }) {
  const { timings, view } = props.timeline.state;
  const { start_ps, end_ps } = view.value;
  return (
    <>
      {timings.value.map((timing, place) =>
        timing.end_ps < start_ps || timing.start_ps > end_ps ? null : (
          <Interval key={timing.id} timeline={props.timeline} timing={timing} level={place % LEVELS} />
        ),
      )}
    </>
  );
}

/** Labels of intervals beside each other stand on different lines, so that they can be read where they overlap. */
const LEVELS = 4;

function Interval(props: { readonly timeline: Timeline; readonly timing: Timing; readonly level: number }) {
  const { timeline, timing } = props;
  const { state, selecting } = timeline;
  const place = placeOf(state, timing);
  const label = useRef<HTMLDivElement>(null);
  useLabelInSight(label, place, state.size.value.width_px);
  const length_ps = timing.end_ps - timing.start_ps;
  const remove = (): void => {
    state.timings.value = state.timings.value.filter(({ id }) => id !== timing.id);
  };
  return (
    <div class="interval" style={{ left: px(place.left_px), width: px(place.width_px), '--level': props.level }}>
      <div class="interval-label" ref={label}>
        <button
          type="button"
          class="link"
          title={l10n.t('{0}: press to select what is in it', exactDuration(length_ps))}
          onClick={() => selecting.span({ ...timing, tracks: timeline.shownTracks })}
        >
          {duration(length_ps)}
        </button>
        <IconButton icon="close" label={l10n.t('Remove Interval')} onPress={remove} />
      </div>
      <Edge timeline={timeline} timing={timing} edge="start_ps" onRemove={remove} />
      <Edge timeline={timeline} timing={timing} edge="end_ps" onRemove={remove} />
    </div>
  );
}

function Edge(props: {
  readonly timeline: Timeline;
  readonly timing: Timing;
  readonly edge: keyof Span;
  readonly onRemove: () => void;
}) {
  const { timing, edge } = props;
  const { state, gestures } = props.timeline;
  const move = (from: Timing, to_ps: number): void => {
    state.timings.value = replaced(state.timings.value, movedEdge(from, edge, state.inProfile(to_ps)));
  };
  // From the interval as it was when the edge was taken: the other edge stays.
  const drag = useDrag<Timing>({
    take: (event) => {
      event.stopPropagation();
      return timing;
    },
    move: (from, event) => {
      event.stopPropagation();
      const box = (event.currentTarget as HTMLElement).closest('.surface')?.getBoundingClientRect();
      const at = {
        x_px: event.clientX - (box?.left ?? 0),
        y_px: event.clientY - (box?.top ?? 0),
        isFree: event.altKey,
        isOpposite: false,
      };
      move(from, gestures.snap(at));
    },
  });
  return (
    <div
      class={`edge ${edge === 'start_ps' ? 'start' : 'end'}`}
      role="slider"
      tabIndex={0}
      aria-label={edge === 'start_ps' ? l10n.t('Start of the interval') : l10n.t('End of the interval')}
      aria-valuemin={0}
      aria-valuemax={state.duration_ps.value}
      aria-valuenow={timing[edge]}
      aria-valuetext={duration(timing[edge])}
      {...drag}
      onKeyDown={(event) => {
        const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (way !== undefined) {
          const by_ps = way * state.timePerPixel_ps * (event.shiftKey ? FAST_KEY_PX : KEY_PX);
          move(timing, timing[edge] + by_ps);
        } else if (event.key === 'Delete' || event.key === 'Backspace') {
          props.onRemove();
        } else {
          return;
        }
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
