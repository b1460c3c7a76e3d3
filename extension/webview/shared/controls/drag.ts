// What a pointer does with an element that it has taken hold of, until it lets go.

import { useRef } from 'preact/hooks';

interface Drag<Taken> {
  /** What is remembered of the moment when the pointer takes hold; null where it does not. */
  readonly take: (event: PointerEvent) => Taken | null;
  readonly move: (taken: Taken, event: PointerEvent) => void;
  /** After the pointer has let go; without an event where it was taken away. */
  readonly drop?: (taken: Taken, event?: PointerEvent) => void;
}

interface DragHandlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerCancel: () => void;
}

/** The handlers of an element that is dragged, or that something is dragged in. */
export function useDrag<Taken>({ take, move, drop }: Drag<Taken>): DragHandlers {
  const taken = useRef<Taken | null>(null);
  const end = (event?: PointerEvent): void => {
    const { current } = taken;
    taken.current = null;
    if (current !== null) {
      drop?.(current, event);
    }
  };
  return {
    onPointerDown: (event) => {
      taken.current = take(event);
      if (taken.current !== null) {
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      }
    },
    onPointerMove: (event) => {
      if (taken.current !== null) {
        move(taken.current, event);
      }
    },
    onPointerUp: end,
    onPointerCancel: () => end(),
  };
}
