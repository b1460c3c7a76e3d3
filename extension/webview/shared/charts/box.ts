// Boxes that lie over a picture, in pixels of the page.

export interface Box {
  readonly left_px: number;
  readonly top_px: number;
  readonly width_px: number;
  readonly height_px: number;
}

/** The style of an element that lies there; what is not said is left to its style sheet. */
export function boxStyle({ left_px, top_px, width_px, height_px }: Partial<Box>): Record<string, string | undefined> {
  const pixels = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : `${String(value)}px`;
  return { left: pixels(left_px), top: pixels(top_px), width: pixels(width_px), height: pixels(height_px) };
}
