// Where a card lies that tells of what is under the pointer.

const CARD_PX = 320;
export const FROM_POINTER_PX = 12;

/** Where a card lies inside the window, and not below the pointer. */
export function besidePointer({ x_px, y_px }: { readonly x_px: number; readonly y_px: number }) {
  const left_px = Math.max(0, Math.min(x_px + FROM_POINTER_PX, window.innerWidth - CARD_PX));
  const isLow = y_px > window.innerHeight / 2;
  return {
    left: `${String(left_px)}px`,
    ...(isLow
      ? { bottom: `${String(window.innerHeight - y_px + FROM_POINTER_PX)}px` }
      : { top: `${String(y_px + FROM_POINTER_PX)}px` }),
  };
}
