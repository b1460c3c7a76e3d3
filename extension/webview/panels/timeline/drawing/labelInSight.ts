// Labels over the picture, in the middle of what they are of, and moved as little as needed to be in sight whole.

import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useSize } from '../../../shared/frame/size';
import { px } from './place';

/** Places an element in a parent that reaches over some pixels of a picture; it is centred by its style. */
export function useLabelInSight(
  element: RefObject<HTMLElement | null>,
  { left_px, width_px }: { readonly left_px: number; readonly width_px: number },
  picture_px: number,
): void {
  // Its controls have their size only after they were drawn.
  useSize(element);
  // After each drawing: its text may have become longer.
  useLayoutEffect(() => {
    const label = element.current;
    if (label !== null) {
      label.style.left = px(labelMiddle(left_px + width_px / 2, label.offsetWidth, picture_px) - left_px);
    }
  });
}

/** Where the middle of a label is that is wished to be at `middle_px`; one that is too wide starts at the left edge. */
export function labelMiddle(middle_px: number, label_px: number, picture_px: number): number {
  return Math.max(label_px / 2, Math.min(middle_px, picture_px - label_px / 2));
}
