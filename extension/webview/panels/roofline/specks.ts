// Tens of thousands of equal small marks, painted pixel by pixel: many times faster than drawing each of them.

/** The pixels of a mark that are not transparent, from its upper left corner. */
export interface Stamp {
  readonly size_px: number;
  readonly across: Uint8Array;
  readonly down: Uint8Array;
  /** Red, green, blue and opacity, four values for each pixel. */
  readonly colours: Uint8ClampedArray;
}

/** An image's pixels in rows, four values for each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** The stamp of a square image. */
export function stampOf({ width, height, data }: Pixels): Stamp {
  const painted: number[] = [];
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if ((data[pixel * 4 + 3] ?? 0) > 0) {
      painted.push(pixel);
    }
  }
  return {
    size_px: width,
    across: Uint8Array.from(painted, (pixel) => pixel % width),
    down: Uint8Array.from(painted, (pixel) => Math.floor(pixel / width)),
    colours: Uint8ClampedArray.from(painted.flatMap((pixel) => [...data.slice(pixel * 4, pixel * 4 + 4)])),
  };
}

/** Paints a stamp over what is there, with its middle at a place; what is beyond the edges is cut off. */
export function paint({ width, height, data }: Pixels, stamp: Stamp, x_px: number, y_px: number): void {
  const { across, down, colours } = stamp;
  const left = Math.round(x_px - stamp.size_px / 2);
  const top = Math.round(y_px - stamp.size_px / 2);
  for (let pixel = 0; pixel < across.length; pixel += 1) {
    const x = left + (across[pixel] ?? 0);
    const y = top + (down[pixel] ?? 0);
    if (x < 0 || x >= width || y < 0 || y >= height) {
      continue;
    }
    const [to, from] = [(y * width + x) * 4, pixel * 4];
    if (data[to + 3] === 0 || colours[from + 3] === 255) {
      // Most places have nothing below, or nothing that shows.
      for (let channel = 0; channel < 4; channel += 1) {
        data[to + channel] = colours[from + channel] ?? 0;
      }
      continue;
    }
    const opacity = (colours[from + 3] ?? 0) / 255;
    const below = ((data[to + 3] ?? 0) / 255) * (1 - opacity);
    const both = opacity + below;
    for (let channel = 0; channel < 3; channel += 1) {
      const colour = (colours[from + channel] ?? 0) * opacity + (data[to + channel] ?? 0) * below;
      data[to + channel] = colour / both;
    }
    data[to + 3] = both * 255;
  }
}
