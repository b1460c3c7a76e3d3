// The edge between the labels and the picture, which makes the labels wider and narrower.

import * as l10n from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import { useDrag } from '../../../shared/controls/drag';
import { useSize } from '../../../shared/frame/size';
import { px } from '../drawing/place';
import type { TimelineState } from '../state/state';

/** Narrower labels would show menus and no names. */
const LEAST_PX = 72;
/** Of labels and picture together. */
const MOST_RATIO = 0.6;
const KEY_PX = 8;
const FAST_KEY_PX = 40;

/** The width of the labels for all that stands beside them: tracks, ruler and minimap. */
export function labelsStyle(labels_px: number | null): Readonly<Record<string, string>> {
  return labels_px === null ? {} : { '--chosen-labels': px(labels_px) };
}

export function LabelsEdge(props: { readonly state: TimelineState }) {
  const { labels_px, size } = props.state;
  const labels = useRef<HTMLDivElement>(null);
  const present_px = useSize(labels)?.width_px ?? LEAST_PX;
  const [isTaken, setTaken] = useState(false);
  const most_px = Math.max(LEAST_PX, Math.floor((present_px + size.value.width_px) * MOST_RATIO));
  const widen = (to_px: number): void => {
    labels_px.value = Math.round(Math.min(most_px, Math.max(LEAST_PX, to_px)));
  };
  const drag = useDrag<number>({
    take: (event) => {
      setTaken(true);
      return present_px - event.clientX;
    },
    move: (from_px, event) => widen(from_px + event.clientX),
    drop: () => setTaken(false),
  });
  return (
    <div class="labels-edge" ref={labels}>
      <div
        class={isTaken ? 'taken' : ''}
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={l10n.t('Width of the labels')}
        title={l10n.t('Drag to make the labels wider; press twice to have them as they were')}
        aria-valuemin={LEAST_PX}
        aria-valuemax={most_px}
        aria-valuenow={present_px}
        aria-valuetext={l10n.t('{0} pixels', String(present_px))}
        {...drag}
        onDblClick={() => (labels_px.value = null)}
        onKeyDown={(event) => {
          const step_px = event.shiftKey ? FAST_KEY_PX : KEY_PX;
          const to_px = {
            ArrowLeft: present_px - step_px,
            ArrowRight: present_px + step_px,
            Home: LEAST_PX,
            End: most_px,
          }[event.key];
          if (to_px !== undefined) {
            widen(to_px);
          } else if (event.key === 'Enter') {
            labels_px.value = null;
          } else {
            return;
          }
          // The picture has its own meaning for these keys.
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </div>
  );
}
