// What is seen of the picture as it changes: a new one is fitted, one that has changed stays where it is.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Size } from '../../../shared/frame/size';
import type { LayoutBox } from '../layout/request';
import type { Arranged } from '../viewer';
import { fitted, keeping, revealing, TEXT_FROM_SCALE, type Viewport } from './viewport';

const UNSEEN: Viewport = { scale: 1, x_px: 0, y_px: 0 };

interface Seen {
  readonly arranged: Arranged;
  readonly boxes: ReadonlyMap<string, LayoutBox>;
  readonly size: Size;
  readonly selected: LayoutBox | null;
}

export interface Moving {
  /** How a person moves it. */
  readonly move: (to: Viewport) => void;
  /** Shows it as it was when it was opened; where another one `isComing`, that one as well. */
  readonly openAnew: (isComing: boolean) => void;
}

/** The viewport, and how it is moved. What is selected comes into sight, unless it `isPressed`: then it is. */
export function useViewport(now: Seen, isPressed: { current: boolean }): readonly [Viewport, Moving] {
  const { arranged, size, selected } = now;
  const [view, setView] = useState(UNSEEN);
  const before = useRef<Seen | null>(null);
  /** What is fitted is fitted again when there is more room, until a person moves it. */
  const isMoved = useRef(false);
  const isToOpen = useRef(false);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = size.width_px > 0 ? now : last;
    if (size.width_px === 0) {
      return;
    }
    const isAnew = isToOpen.current && last?.arranged !== arranged;
    const isOther = last === null || isAnew || pictureOf(last.arranged) !== pictureOf(arranged);
    if (isOther) {
      isMoved.current = false;
      isToOpen.current = false;
    }
    const wasPressed = isPressed.current;
    isPressed.current = false;
    const isSelectedAnew = !wasPressed && last !== null && last.selected?.id !== selected?.id && selected !== null;
    setView((present) => {
      if (isOther || (!isMoved.current && last.size !== size)) {
        return opened(now);
      }
      const stays = last.arranged === arranged ? null : anchorOf(last, now);
      const kept = stays === null ? present : keeping(present, ...stays);
      return isSelectedAnew || stays !== null ? inSight(kept, selected, size) : kept;
    });
  }, [arranged, selected?.id, size]);
  return [
    view,
    {
      move: (to) => {
        isMoved.current = true;
        setView(to);
      },
      openAnew: (isComing) => {
        isMoved.current = false;
        isToOpen.current = isComing;
        setView(opened(now));
      },
    },
  ];
}

/** What is seen first: scopes, which have short names, smaller than lines, so that there are more of them at once. */
function opened(seen: Seen): Viewport {
  const { arranged, size, selected } = seen;
  const middle = selected ?? middleOf(seen);
  return arranged.record.level === 'scopes'
    ? fitted(arranged.layout, size, middle, TEXT_FROM_SCALE)
    : fitted(arranged.layout, size, middle);
}

function inSight(view: Viewport, box: LayoutBox | null, size: Size): Viewport {
  return box === null ? view : revealing(view, box, size);
}

/** What a picture is of: where that is another, it begins anew. */
function pictureOf({ record: { level, program, center, route } }: Arranged): string {
  return JSON.stringify([level, program, center, route.length > 0]);
}

/** The box in the middle of a picture that is larger than the canvas. */
function middleOf({ arranged: { record }, boxes }: Seen): LayoutBox | null {
  const longest = record.nodes.reduce<(typeof record.nodes)[number] | null>(
    (most, node) => ((node.self_ps ?? 0) > (most?.self_ps ?? 0) ? node : most),
    null,
  );
  return boxes.get(record.center ?? '') ?? boxes.get(longest?.key ?? '') ?? null;
}

/** A box that is in both pictures, the selected one first: it stays where it is. */
function anchorOf(last: Seen, now: Seen): [LayoutBox, LayoutBox] | null {
  const keys = [now.selected?.id, now.arranged.record.center, ...now.boxes.keys()];
  for (const key of keys) {
    const [before, after] = [last.boxes.get(key ?? ''), now.boxes.get(key ?? '')];
    if (before !== undefined && after !== undefined) {
      return [before, after];
    }
  }
  return null;
}
