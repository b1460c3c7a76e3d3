// Arithmetic of colours: reading, mixing, contrast as WCAG 2 defines it, and steps in OKLCH, which look even.

/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A colour as style sheets compute it: `#rgb`, `#rrggbb` (alpha is ignored) or `rgb(…)`; null for anything else. */
export function parsedColour(text: string): Rgb | null {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(text)?.[1];
  if (hex !== undefined) {
    const digits = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex;
    const value = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16);
    return [value(0), value(2), value(4)];
  }
  const numbers = /^rgba?\(([^)]*)\)$/i.exec(text)?.[1]?.match(/[\d.]+/g);
  const [red, green, blue] = (numbers ?? []).map(Number);
  return red === undefined || green === undefined || blue === undefined ? null : [red, green, blue];
}

export function css([red, green, blue]: Rgb): string {
  return `rgb(${Math.round(red)} ${Math.round(green)} ${Math.round(blue)})`;
}

/** `ratio` of the first and the rest of the second. */
export function mixed(one: Rgb, other: Rgb, ratio: number): Rgb {
  const part = (at: 0 | 1 | 2): number => Math.round(one[at] * ratio + other[at] * (1 - ratio));
  return [part(0), part(1), part(2)];
}

export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** Black or white, whichever is read better; one of them always has a contrast above 4.5. */
export function textOn(ground: Rgb): Rgb {
  return contrast(WHITE, ground) >= contrast(BLACK, ground) ? WHITE : BLACK;
}

/** The colour, moved away from the ground as little as its contrast needs. */
export function standingOut(colour: Rgb, ground: Rgb, least: number): Rgb {
  const far = textOn(ground);
  for (let step = 0; step <= 20; step += 1) {
    const moved = mixed(far, colour, step / 20);
    if (contrast(moved, ground) >= least) {
      return moved;
    }
  }
  return far;
}

/** The colour in another lightness (of 0 to 1) and hue (in degrees), both by a difference. Greys have no hue. */
export function varied(colour: Rgb, lighter: number, turned: number): Rgb {
  const [lightness, a, b] = oklab(colour);
  const chroma = Math.hypot(a, b);
  const hue = Math.atan2(b, a) + (turned * Math.PI) / 180;
  const varied_lightness = Math.max(0, Math.min(1, lightness + lighter));
  return fromOklab([varied_lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]);
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = linear(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

type Triple = readonly [number, number, number];

function linear([red, green, blue]: Rgb): Triple {
  const one = (value: number): number => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return [one(red), one(green), one(blue)];
}

function fromLinear([red, green, blue]: Triple): Rgb {
  const one = (part: number): number => {
    const bounded = Math.max(0, Math.min(1, part));
    const value = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
    return Math.round(255 * value);
  };
  return [one(red), one(green), one(blue)];
}

/** Björn Ottosson, A perceptual color space for image processing, 2020. */
function oklab(colour: Rgb): Triple {
  const [red, green, blue] = linear(colour);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([lightness, a, b]: Triple): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return fromLinear([
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]);
}
