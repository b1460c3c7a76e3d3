// The axis of time, and below it the steps by number: a press on a step zooms to it.

import * as l10n from '@vscode/l10n';
import { useMemo, useRef } from 'preact/hooks';
import type { TimelineStepsRecord } from '../../../../src/protocol';
import { DrawnCanvas } from '../../../shared/charts/canvas';
import { count, duration } from '../../../shared/text/format';
import { useSize } from '../../../shared/frame/size';
import { themeColour } from '../../../shared/theme';
import { TICK_APART_PX } from '../drawing/ground';
import type { TimelineState } from '../state/state';
import { firstStepEndingAfter, stepAt, stepSpan } from '../state/steps';
import { ticksOf } from '../drawing/ticks';
import { lengthOf, timeAt, xOf, type Span } from '../state/viewport';

const AXIS_PX = 22;
const STEPS_PX = 20;
const PADDING_PX = 4;
const FONT_PX = 11;
/** Narrower steps are drawn as a band: their edges would be all that one sees. */
const LEAST_STEP_PX = 3;

export function StepRuler(props: { readonly state: TimelineState }) {
  const { state } = props;
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const record = state.record.value;
  const steps = record?.steps ?? null;
  const view = state.view.value;
  const width_px = size?.width_px ?? 0;
  const height_px = AXIS_PX + (steps === null ? 0 : STEPS_PX);
  const draw = useMemo(
    () => (context: CanvasRenderingContext2D) => {
      if (lengthOf(view) > 0 && width_px > 0) {
        drawAxis(context, view, width_px);
        if (steps !== null) {
          drawSteps(context, steps, view, width_px);
        }
      }
    },
    [view, steps, width_px],
  );
  if (record === null) {
    return null;
  }
  const under = (event: MouseEvent): number | null => {
    const box = place.current?.getBoundingClientRect();
    return box === undefined || event.clientY < box.top + AXIS_PX
      ? null
      : stepAt(steps, timeAt(view, Math.max(1, width_px), event.clientX - box.left));
  };
  const onMove = (event: MouseEvent): void => {
    const step = under(event);
    const element = place.current;
    if (element !== null) {
      element.title = step === null || steps === null ? '' : stepTitle(steps, step);
      element.style.cursor = step === null ? '' : 'pointer';
    }
  };
  return (
    <div class="step-ruler">
      <div class="beside-picture ellipsis" title={steps === null ? '' : l10n.t('Steps are known from {0}', steps.name)}>
        {duration(lengthOf(view))} {l10n.t('in sight')}
        {steps === null ? null : (
          <>
            <br />
            {l10n.t('Steps')}
          </>
        )}
      </div>
      <div
        class="axis"
        ref={place}
        style={{ height: `${String(height_px)}px` }}
        aria-hidden="true"
        onMouseMove={onMove}
        onClick={(event) => {
          const step = under(event);
          if (step !== null && steps !== null) {
            state.frame(stepSpan(steps, step));
          }
        }}
      >
        {width_px > 0 ? <DrawnCanvas size={{ width_px, height_px }} draw={draw} /> : null}
      </div>
    </div>
  );
}

function stepTitle(steps: TimelineStepsRecord, step: number): string {
  const { start_ps, end_ps } = stepSpan(steps, step);
  return l10n.t(
    'Step {0}: {1} from {2}. Click to zoom to it.',
    step + 1,
    duration(end_ps - start_ps),
    duration(start_ps),
  );
}

function drawAxis(context: CanvasRenderingContext2D, view: Span, width_px: number): void {
  const { ticks, base } = ticksOf(view, width_px, TICK_APART_PX);
  context.font = `${FONT_PX}px ${themeColour('--vscode-font-family')}`;
  context.textBaseline = 'middle';
  const line = themeColour('--line');
  const quiet = themeColour('--quiet');
  let from_px = 0;
  if (base !== null) {
    context.fillStyle = themeColour('--text');
    context.fillText(base.label, PADDING_PX, AXIS_PX / 2);
    from_px = context.measureText(base.label).width + 3 * PADDING_PX;
  }
  for (const { at_ps, label } of ticks) {
    const x_px = Math.round(xOf(view, width_px, at_ps));
    context.fillStyle = line;
    context.fillRect(x_px, AXIS_PX - 6, 1, 6);
    const label_px = context.measureText(label).width;
    if (x_px >= from_px && x_px + PADDING_PX + label_px <= width_px) {
      context.fillStyle = quiet;
      context.fillText(label, x_px + PADDING_PX, AXIS_PX / 2);
    }
  }
}

function drawSteps(context: CanvasRenderingContext2D, steps: TimelineStepsRecord, view: Span, width_px: number): void {
  const text = themeColour('--text');
  const top_px = AXIS_PX;
  const height_px = STEPS_PX - 2;
  let drawn_px = 0;
  for (let step = firstStepEndingAfter(steps, view.start_ps); step < steps.start_ps.length; step += 1) {
    const { start_ps, end_ps } = stepSpan(steps, step);
    if (start_ps > view.end_ps) {
      return;
    }
    const left_px = Math.max(drawn_px, Math.round(Math.max(0, xOf(view, width_px, start_ps))));
    const right_px = Math.round(Math.min(width_px, xOf(view, width_px, end_ps)));
    if (right_px <= drawn_px) {
      continue;
    }
    const room_px = right_px - left_px;
    context.globalAlpha = step % 2 === 0 ? 0.2 : 0.11;
    context.fillStyle = text;
    context.fillRect(left_px, top_px, Math.max(1, room_px - (room_px >= LEAST_STEP_PX ? 1 : 0)), height_px);
    context.globalAlpha = 1;
    drawn_px = right_px;
    const long = `${count(step + 1)} · ${duration(end_ps - start_ps)}`;
    const label = [long, count(step + 1)].find((each) => context.measureText(each).width + 2 * PADDING_PX <= room_px);
    if (label !== undefined) {
      context.fillText(label, left_px + PADDING_PX, top_px + height_px / 2 + 0.5);
    }
  }
}
