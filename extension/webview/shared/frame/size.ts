// The size of an element, as it changes.

import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Size {
  readonly width_px: number;
  readonly height_px: number;
}

/** Null until the element was measured. */
export function useSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) {
      return undefined;
    }
    const measure = (): void =>
      setSize((before) => {
        const { clientWidth: width_px, clientHeight: height_px } = measured;
        return before?.width_px === width_px && before.height_px === height_px ? before : { width_px, height_px };
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
