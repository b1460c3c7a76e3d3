// What lies over the picture: it takes the pointer and the keys, and shows what is marked, dragged and pointed at.

import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { Timeline } from '../state/controller';
import { DragBox, SelectedSpan } from './dragBox';
import { Intervals } from './intervals';
import type { Pointed } from '../tools/gestures';
import { turned } from '../tools/wheel';
import { Tooltip } from './tooltip';
import { lengthOf, middleOf, spanFrom } from '../state/viewport';

/** Where a menu is to open, in pixels of the page. */
export type OpenAt = (x_px: number, y_px: number) => void;

export function Surface(props: { readonly timeline: Timeline; readonly onMenu: OpenAt }) {
  const { state, gestures, selecting } = props.timeline;
  const element = useRef<HTMLDivElement>(null);
  const pointer = useMemo(() => signal<Pointed | null>(null), []);
  const pointed = (event: MouseEvent): Pointed => {
    const box = element.current?.getBoundingClientRect();
    return {
      x_px: event.clientX - (box?.left ?? 0),
      y_px: event.clientY - (box?.top ?? 0),
      isFree: event.altKey,
      isOpposite: event.shiftKey,
    };
  };

  /** Beside what is selected, else in the middle: where the keyboard opens a menu. */
  const openMenuByKeyboard = (): void => {
    const box = element.current?.getBoundingClientRect();
    const event = state.selectedEvent.value;
    const view = state.view.value;
    const middle_ps = middleOf(event === null ? view : spanFrom(event));
    const ratio = Math.min(1, Math.max(0, (middle_ps - view.start_ps) / Math.max(1, lengthOf(view))));
    const row = state.picture.value?.rows().find(({ track, depth }) => track === event?.track && depth === event.depth);
    props.onMenu(
      (box?.left ?? 0) + ratio * (box?.width ?? 0),
      (box?.top ?? 0) + (row === undefined ? 0 : row.top_px + row.height_px),
    );
  };

  return (
    <div
      class={`surface ${gestures.isPanning.value ? 'panning' : state.tool.value}`}
      ref={element}
      data-picture
      tabIndex={0}
      role="application"
      aria-label={l10n.t(
        'Timeline. Arrow keys select events, w s a d zoom and move, t lists the events as a table, question mark helps.',
      )}
      onPointerDown={(event) => {
        const surface = event.currentTarget;
        if (event.button > 1 || event.target !== surface) {
          return;
        }
        event.preventDefault();
        surface.focus({ preventScroll: true });
        surface.setPointerCapture(event.pointerId);
        gestures.down(pointed(event), event.button);
      }}
      onPointerMove={(event) => {
        const at = pointed(event);
        pointer.value = at;
        gestures.move(at);
      }}
      onPointerUp={(event) => gestures.up(pointed(event))}
      onPointerCancel={() => void gestures.cancel()}
      onPointerLeave={() => {
        pointer.value = null;
        state.hover.value = null;
      }}
      onDblClick={(event) => {
        const at = pointed(event);
        const box = state.picture.value?.at(at.x_px, at.y_px)?.box ?? null;
        if (box !== null && box.count > 1) {
          selecting.zoomToSelection();
        } else if (box !== null) {
          void selecting.goToLineOfEvent().then((hasGone) => {
            if (!hasGone) {
              selecting.zoomToSelection();
            }
          });
        }
      }}
      onWheel={(event) => {
        event.preventDefault();
        const at = pointed(event);
        turned(state, event, gestures.timeAt(at.x_px));
        gestures.move(at);
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        const at = pointed(event);
        const hit = state.picture.value?.at(at.x_px, at.y_px) ?? null;
        if (hit !== null && hit.box !== null) {
          void selecting.at(hit);
        }
        props.onMenu(event.clientX, event.clientY);
      }}
      onKeyDown={(event) => {
        if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
          event.preventDefault();
          openMenuByKeyboard();
        }
      }}
    >
      <SelectedSpan timeline={props.timeline} />
      <Intervals timeline={props.timeline} />
      <DragBox timeline={props.timeline} />
      <Tooltip timeline={props.timeline} pointer={pointer} />
    </div>
  );
}
