// The colours of boxes as a table: a box names an entry and a look, renderers need to know no more.

import { contrast, css, mixed, parsedColour, type Rgb, standingOut, textOn, varied } from './colour';

/** In the order of the daemon's `SLICE_COLOURS`, which windows carry. */
export const SLICE_COLOURS = [
  'forward',
  'backward',
  'recompute',
  'optimizer',
  'communication',
  'transfer',
  'idle',
  'other',
  'host',
] as const;
export type SliceColour = (typeof SLICE_COLOURS)[number];

export const IDLE = SLICE_COLOURS.indexOf('idle');

const VARIANTS_FROM = 16;
const VARIANTS = 8;
export const ENTRIES = 256;
/** Entries that are no slice's. */
export const SURFACE = 250;
export const GRID = 251;
export const HEAD = 252;
export const COUNTER = 253;
export const OUTLINE = 254;
export const STEP_LINE = 255;

/** A look is a sum of these: the light part of merged boxes, and what a search leaves in the background. */
export const TINTED = 1;
export const DIMMED = 2;
export const LOOKS = 4;

/** Of what is seen against the ground, and of text. */
export const LEAST_MARK_CONTRAST = 3;

const TINT = 0.38;
const DIM = 0.2;
/** Differences of lightness and hue of the names of one phase, the phase's own colour first. */
const VARIATIONS: readonly (readonly [lighter: number, turned: number])[] = [
  [0, 0],
  [0.07, 6],
  [-0.05, -6],
  [0.035, -9],
  [0.12, 0],
  [-0.025, 9],
  [0.09, -5],
  [0.015, 11],
];

export interface Palette {
  /** For each look the entries, each red, green, blue and 255: a picture of `ENTRIES` by `LOOKS`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same as style sheets write it, and what text on it should have: at `look * ENTRIES + entry`. */
  readonly fills: readonly string[];
  readonly texts: readonly string[];
}

/** Colours of the theme that a palette is made of. */
export interface PaletteTheme {
  readonly surface: Rgb;
  readonly text: Rgb;
  readonly phases: Readonly<Record<SliceColour, Rgb | null>>;
  readonly mark: Rgb | null;
}

/** The entry of a slice's colour, or of one of its names'. */
export function entryOf(colour: number, variant = 0): number {
  return variant === 0 ? colour : VARIANTS_FROM + colour * VARIANTS + (variant % VARIANTS);
}

/** Which variant a name has: the same in every lane and every run. */
export function variantOf(name: string): number {
  return hashOf(name) % VARIANTS;
}

/** The hues that are told apart best, for what has no phase: scopes and steps. */
const FREE_HUES = ['forward', 'optimizer', 'backward', 'transfer', 'recompute', 'communication'] as const;

export function scopeEntry(name: string): number {
  const hash = hashOf(name);
  const hue = FREE_HUES[hash % FREE_HUES.length] ?? 'forward';
  return entryOf(SLICE_COLOURS.indexOf(hue), (hash >>> 8) % VARIANTS);
}

export function stepEntry(step: number): number {
  const hue = FREE_HUES[step % 4] ?? 'forward';
  return entryOf(SLICE_COLOURS.indexOf(hue));
}

/** FNV-1a, its bits mixed so that the lowest are as good as any. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

export function makePalette(theme: PaletteTheme): Palette {
  const entries = new Map<number, Rgb>();
  const { surface, text } = theme;
  SLICE_COLOURS.forEach((name, colour) => {
    const hue = fillOf(name, theme);
    VARIATIONS.forEach(([lighter, turned], variant) => {
      // On a light ground names get darker where they get lighter on a dark one.
      const away = contrast(surface, [0, 0, 0]) > contrast(surface, [255, 255, 255]) ? -lighter : lighter;
      const fill = variant === 0 ? hue : varied(hue, away, turned);
      entries.set(entryOf(colour, variant), standingOut(fill, surface, LEAST_MARK_CONTRAST));
    });
  });
  entries.set(SURFACE, surface);
  entries.set(GRID, mixed(text, surface, 0.08));
  entries.set(HEAD, mixed(text, surface, 0.05));
  entries.set(COUNTER, standingOut(theme.mark ?? text, surface, LEAST_MARK_CONTRAST));
  entries.set(OUTLINE, text);
  entries.set(STEP_LINE, mixed(text, surface, 0.22));
  return tableOf(entries, surface);
}

function fillOf(name: SliceColour, { surface, text, phases }: PaletteTheme): Rgb {
  const hue = phases[name];
  switch (name) {
    // Large areas of the strongest contrast would be all that one sees.
    case 'other':
      return mixed(hue ?? text, surface, 0.55);
    case 'host':
      return mixed(hue ?? text, surface, 0.42);
    default:
      return hue ?? text;
  }
}

function tableOf(entries: ReadonlyMap<number, Rgb>, surface: Rgb): Palette {
  const bytes = new Uint8Array(ENTRIES * LOOKS * 4);
  const fills: string[] = [];
  const texts: string[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    for (let entry = 0; entry < ENTRIES; entry += 1) {
      const colour = looking(entries.get(entry) ?? surface, surface, look);
      bytes.set([...colour, 255], (look * ENTRIES + entry) * 4);
      fills.push(css(colour));
      texts.push(css(textOn(colour)));
    }
  }
  return { bytes, fills, texts };
}

function looking(colour: Rgb, surface: Rgb, look: number): Rgb {
  const tinted = (look & TINTED) === 0 ? colour : mixed(colour, surface, TINT);
  return (look & DIMMED) === 0 ? tinted : mixed(tinted, surface, DIM);
}

/** The colour of the theme for slices of a colour; null where they have none of their own. */
function hueOf(name: SliceColour): `--${string}` | null {
  const phase = name === 'transfer' ? 'input' : name;
  return name === 'host' ? null : `--vscode-scopelight-phase${phase.charAt(0).toUpperCase()}${phase.slice(1)}`;
}

/** The present theme's colours; `read` gives the value of a custom property. */
export function paletteTheme(read: (variable: `--${string}`) => string): PaletteTheme {
  const colour = (variable: `--${string}`): Rgb | null => parsedColour(read(variable));
  const surface = colour('--surface') ?? [255, 255, 255];
  const phases = Object.fromEntries(
    SLICE_COLOURS.map((name) => {
      const variable = hueOf(name);
      return [name, variable === null ? null : colour(variable)];
    }),
  ) as Record<SliceColour, Rgb | null>;
  return { surface, text: colour('--text') ?? textOn(surface), phases, mark: colour('--mark') };
}
