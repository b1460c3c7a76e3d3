// What the pointer is on, in a few words beside it.

import * as l10n from '@vscode/l10n';
import type { ReadonlySignal } from '@preact/signals';
import { count, duration, share } from '../../../shared/text/format';
import type { Timeline } from '../state/controller';
import { px } from '../drawing/place';
import { nameOn } from '../state/names';
import type { PictureBox } from '../state/state';
import type { Pointed } from '../tools/gestures';

/** From this part of the width on it stands to the left of the pointer. */
const TURNS_AT_RATIO = 0.6;

export function Tooltip(props: { readonly timeline: Timeline; readonly pointer: ReadonlySignal<Pointed | null> }) {
  const { state } = props.timeline;
  const at = props.pointer.value;
  const hit = state.hover.value;
  if (at === null || hit === null || hit.box === null) {
    return null;
  }
  const { box } = hit;
  const { width_px, height_px } = state.size.value;
  const isLeft = at.x_px > width_px * TURNS_AT_RATIO;
  const isAbove = at.y_px > height_px * TURNS_AT_RATIO;
  const place = {
    ...(isLeft ? { right: px(width_px - at.x_px + 12) } : { left: px(at.x_px + 12) }),
    ...(isAbove ? { bottom: px(height_px - at.y_px + 12) } : { top: px(at.y_px + 16) }),
  };
  const name = state.picture.value?.nameOf(box.name) ?? null;
  const text = name === null ? '' : nameOn(state.trackOf(hit.track)?.kind ?? null, name);
  return (
    <div class="tooltip" style={place} aria-hidden="true">
      {boxLines(box, text, state.matcher.value !== null).map((line, position) => (
        <p key={line} class={`ellipsis ${position === 0 ? 'code' : 'quiet'}`}>
          {line}
        </p>
      ))}
    </div>
  );
}

/** What is said of a box: an event, or how many were merged to it. */
export function boxLines(box: PictureBox, name: string, hasMatcher: boolean): readonly string[] {
  const length_ps = box.end_ps - box.start_ps;
  if (box.count === 1) {
    return [name, duration(length_ps)].filter((line) => line !== '');
  }
  const lines = [
    l10n.t('{0} events in {1}', count(box.count), duration(length_ps)),
    l10n.t('busy {0} ({1})', duration(box.busy_ps), share(box.busy_ps / Math.max(1, length_ps))),
  ];
  if (name !== '') {
    lines.push(l10n.t('most time: {0}', name));
  }
  if (hasMatcher && box.matched > 0) {
    lines.push(l10n.t('{0} highlighted', count(box.matched)));
  }
  return lines;
}
