// The whole run at a glance: how busy its devices were, where hits are, and which part is in sight.

import * as l10n from '@vscode/l10n';
import { useCallback } from 'preact/hooks';
import type { TimelineRecord } from '../../../../src/protocol';
import { ZoomBar } from '../../../shared/charts/zoomBar';
import { duration } from '../../../shared/text/format';
import { themeColour } from '../../../shared/theme';
import { fillBusy } from '../drawing/busy';
import type { TimelineState } from '../state/state';
import { LEAST_SPAN_PS, lengthOf, whole } from '../state/viewport';

const HEIGHT_PX = 40;
const HITS_PX = 6;
/** More devices than this are drawn as their mean: their strips would be too low to see. */
const MOST_STRIPS = 4;

export function Minimap(props: { readonly state: TimelineState }) {
  const { record, found, view } = props.state;
  const { value: shown } = record;
  const marks = found.value?.marks ?? null;
  const draw = useCallback(
    (context: CanvasRenderingContext2D, width_px: number) => {
      if (shown !== null) {
        drawOverview(context, shown, marks, width_px);
      }
    },
    [shown, marks],
  );
  if (shown === null) {
    return null;
  }
  const all = whole(shown.duration_ps);
  return (
    <div class="minimap">
      <div class="beside-picture ellipsis">{duration(shown.duration_ps)}</div>
      <ZoomBar
        label={l10n.t('Part of the run that is in sight: arrow keys move it, plus and minus zoom')}
        height_px={HEIGHT_PX}
        whole={{ from: all.start_ps, to: all.end_ps }}
        shown={{ from: view.value.start_ps, to: view.value.end_ps }}
        least={LEAST_SPAN_PS}
        onShow={(span) => (view.value = span === null ? all : { start_ps: span.from, end_ps: span.to })}
        text={({ from, to }) => l10n.t('{0} from {1}', duration(to - from), duration(from))}
        draw={draw}
      >
        <span class="handle start" />
        <span class="handle end" />
      </ZoomBar>
    </div>
  );
}

/** How busy each device was as a curve of its own, or of all where they are many; below them where hits are. */
function drawOverview(
  context: CanvasRenderingContext2D,
  record: TimelineRecord,
  marks: readonly number[] | null,
  width_px: number,
): void {
  const devices = busyOf(record);
  const height_px = HEIGHT_PX - HITS_PX;
  const strip_px = height_px / Math.max(1, devices.length);
  context.fillStyle = themeColour('--mark');
  const all = whole(record.duration_ps);
  devices.forEach((busy, at) => {
    fillBusy(context, busy, lengthOf(all), all, { width_px, floor_px: (at + 1) * strip_px, most_px: strip_px - 2 });
  });
  context.fillStyle = themeColour('--line');
  context.fillRect(0, height_px, width_px, 1);
  if (marks !== null) {
    drawHits(context, marks, width_px);
  }
}

function drawHits(context: CanvasRenderingContext2D, marks: readonly number[], width_px: number): void {
  context.fillStyle = themeColour('--text');
  marks.forEach((hits, at) => {
    if (hits > 0) {
      const left_px = Math.floor((at / marks.length) * width_px);
      const right_px = Math.ceil(((at + 1) / marks.length) * width_px);
      context.fillRect(left_px, HEIGHT_PX - HITS_PX + 2, Math.max(1, right_px - left_px), HITS_PX - 3);
    }
  });
}

function busyOf(record: TimelineRecord): readonly (readonly number[])[] {
  const devices = record.sections.flatMap(({ id }) => {
    const busy = record.busy[id];
    return busy === undefined || busy.length === 0 ? [] : [busy];
  });
  const [first] = devices;
  if (first === undefined || devices.length <= MOST_STRIPS) {
    return devices;
  }
  return [first.map((_, part) => devices.reduce((sum, busy) => sum + (busy[part] ?? 0), 0) / devices.length)];
}
