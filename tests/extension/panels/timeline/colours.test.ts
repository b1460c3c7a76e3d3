import { describe, expect, test } from 'vitest';
import manifest from '../../../../package.json';
import {
  contrast,
  mixed,
  parsedColour,
  type Rgb,
  varied,
} from '../../../../extension/webview/panels/timeline/drawing/boxes/colour';
import {
  COUNTER,
  DIMMED,
  ENTRIES,
  entryOf,
  LOOKS,
  makePalette,
  type Palette,
  paletteTheme,
  scopeEntry,
  SLICE_COLOURS,
  stepEntry,
  TINTED,
  variantOf,
} from '../../../../extension/webview/panels/timeline/drawing/boxes/palette';
import { TextCutter } from '../../../../extension/webview/panels/timeline/drawing/boxes/texts';
import {
  entriesOf,
  namesForColours,
  scopeTracks,
} from '../../../../extension/webview/panels/timeline/drawing/colouring';
import { decodeWindow } from '../../../../extension/webview/panels/timeline/windows/packed';
import type { Colouring } from '../../../../extension/webview/panels/timeline/state/state';
import { aTraining } from './madeTimeline';

const themes = {
  dark: ['#1f1f1f', '#cccccc', '#59a4f9'],
  light: ['#ffffff', '#3b3b3b', '#0063d3'],
  highContrast: ['#000000', '#ffffff', '#59a4f9'],
  highContrastLight: ['#ffffff', '#292929', '#0063d3'],
} as const;
type ThemeName = keyof typeof themes;

function paletteOf(theme: ThemeName): { palette: Palette; surface: Rgb } {
  const [surface, text, mark] = themes[theme];
  const values = new Map<string, string>([
    ['--surface', surface],
    ['--text', text],
    ['--mark', mark],
    ...manifest.contributes.colors.map(
      ({ id, defaults }) => [`--vscode-${id.replace('.', '-')}`, defaults[theme]] as const,
    ),
  ]);
  return {
    palette: makePalette(paletteTheme((variable) => values.get(variable) ?? '')),
    surface: parsedColour(surface) ?? [0, 0, 0],
  };
}

function fillAt({ bytes }: Palette, entry: number, look = 0): Rgb {
  const at = 4 * (look * ENTRIES + entry);
  return [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
}

const entries = SLICE_COLOURS.flatMap((_, colour) =>
  Array.from({ length: 8 }, (__, variant) => entryOf(colour, variant)),
);

describe.each(Object.keys(themes) as ThemeName[])('colours in %s', (theme) => {
  const { palette, surface } = paletteOf(theme);

  test('stand out from the ground by 3 to 1, whatever the name', () => {
    for (const entry of [...entries, COUNTER]) {
      expect(contrast(fillAt(palette, entry), surface)).toBeGreaterThanOrEqual(3);
    }
  });

  test('carry text by 4.5 to 1, in every look', () => {
    for (let look = 0; look < LOOKS; look += 1) {
      for (const entry of entries) {
        const text = parsedColour(palette.texts[look * ENTRIES + entry]?.replaceAll(' ', ',') ?? '');
        expect(contrast(text ?? [0, 0, 0], fillAt(palette, entry, look))).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test('are told apart between phases, and step back where they are not meant', () => {
    const bases = SLICE_COLOURS.map((_, colour) => fillAt(palette, entryOf(colour)).join());
    expect(new Set(bases).size).toBe(bases.length);
    for (const entry of entries) {
      const strong = contrast(fillAt(palette, entry), surface);
      expect(contrast(fillAt(palette, entry, TINTED), surface)).toBeLessThan(strong);
      expect(contrast(fillAt(palette, entry, DIMMED), surface)).toBeLessThan(strong);
    }
  });
});

describe('entries', () => {
  test('of names are inside their phase and the same wherever the name is', () => {
    expect(variantOf('fusion.12')).toBe(variantOf('fusion.12'));
    const variants = new Set(Array.from({ length: 200 }, (_, at) => variantOf(`fusion.${String(at)}`)));
    expect(variants.size).toBe(8);
    const all = new Set(entries);
    expect(all.size).toBe(SLICE_COLOURS.length * 8);
    expect(Math.max(...all)).toBeLessThan(COUNTER);
  });

  test('of scopes and steps are hues that are not grey', () => {
    const grey = SLICE_COLOURS.flatMap((name, colour) => (['idle', 'other', 'host'].includes(name) ? [colour] : []));
    const isGrey = (entry: number) =>
      grey.some((colour) => entry === colour || Math.floor((entry - 16) / 8) === colour);
    for (let each = 0; each < 100; each += 1) {
      expect(isGrey(scopeEntry(`layer_${String(each)}`))).toBe(false);
      expect(isGrey(stepEntry(each))).toBe(false);
      expect(stepEntry(each)).not.toBe(stepEntry(each + 1));
    }
  });
});

describe('colour arithmetic', () => {
  test('reads what style sheets compute', () => {
    expect(parsedColour('#0e6fad')).toEqual([14, 111, 173]);
    expect(parsedColour('#fff')).toEqual([255, 255, 255]);
    expect(parsedColour('#ffffffb3')).toEqual([255, 255, 255]);
    expect(parsedColour('rgb(1, 2, 3)')).toEqual([1, 2, 3]);
    expect(parsedColour('rgba(1 2 3 / 50%)')).toEqual([1, 2, 3]);
    expect(parsedColour('')).toBeNull();
  });

  test('comes back from where it went', () => {
    for (const colour of [
      [14, 111, 173],
      [190, 63, 36],
      [128, 128, 128],
    ] as const) {
      const back = varied(colour, 0, 360);
      back.forEach((part, at) => expect(Math.abs(part - (colour[at] ?? 0))).toBeLessThanOrEqual(1));
    }
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(mixed([0, 0, 0], [200, 100, 50], 0.5)).toEqual([100, 50, 25]);
  });
});

describe('colourings', () => {
  const made = aTraining({ steps: 3, devices: 1 });
  const { sections, steps, duration_ps } = made.record;
  const tracks = new Map(sections.flatMap((section) => section.tracks.map(({ id }) => [id, 8] as const)));
  const window = decodeWindow(made.window({ tracks, span: { start_ps: 0, end_ps: duration_ps }, width_px: 4000 }));
  const context = (colouring: Colouring) => ({
    colouring,
    sections,
    steps,
    levels: 2,
    nameOf: (id: number) => made.names[id] ?? null,
  });
  const rowOf = (track: string, depth = 0) => {
    const { boxes, record } = window;
    const found = [...boxes.track].findIndex(
      (at, row) => record.tracks[at]?.id === track && boxes.depth[row] === depth,
    );
    return [boxes.firstBox[found] ?? 0, boxes.firstBox[found + 1] ?? 0] as const;
  };
  const ops = rowOf('device:/device:TPU:0/XLA Ops');

  test('by phase are as the daemon says', () => {
    expect(entriesOf(window, context('phase'))).toBe(window.boxes.colour);
  });

  test('by name keep the phase', () => {
    const byName = entriesOf(window, context('name'));
    for (let box = ops[0]; box < ops[1]; box += 1) {
      const colour = window.boxes.colour[box] ?? 0;
      const name = made.names[window.boxes.name[box] ?? 0] ?? '';
      expect(byName[box]).toBe(entryOf(colour, variantOf(name)));
    }
    expect(namesForColours(window, context('name')).size).toBe(new Set(window.boxes.name).size);
    expect(namesForColours(window, context('phase')).size).toBe(0);
  });

  test('by step are those of the step that a box is in', () => {
    const byStep = entriesOf(window, context('step'));
    for (let box = ops[0]; box < ops[1]; box += 1) {
      const middle_ps = (window.boxes.start_ps[box] ?? 0) + (window.boxes.duration_ps[box] ?? 0) / 2;
      const step = (steps?.start_ps ?? []).findIndex(
        (start_ps, at) => start_ps <= middle_ps && middle_ps < start_ps + (steps?.duration_ps[at] ?? 0),
      );
      expect(byStep[box]).toBe(step === -1 ? entryOf(SLICE_COLOURS.indexOf('other')) : stepEntry(step));
    }
  });

  test('by scope are those of the deepest shown scope that a box is in', () => {
    const byScope = entriesOf(window, context('scope'));
    const [from, to] = rowOf('device:/device:TPU:0/Framework Name Scope', 1);
    const used = new Set(byScope.subarray(ops[0], ops[1]));
    expect(used.has(scopeEntry('block'))).toBe(true);
    expect(used.has(scopeEntry('optimizer'))).toBe(true);
    expect(new Set(byScope.subarray(from, to))).toEqual(new Set([scopeEntry('block'), scopeEntry('optimizer')]));
  });

  test('by scope are not those of lines of the host, which stand beside a device', () => {
    const withLines = sections.map((section) => ({
      ...section,
      tracks: section.tracks.map((track) =>
        track.id.endsWith('XLA Ops') ? { ...track, kind: 'lines' as const } : track,
      ),
    }));
    const byScope = entriesOf(window, { ...context('scope'), sections: withLines });
    expect(byScope.subarray(...ops)).toEqual(window.boxes.colour.subarray(...ops));
  });

  test('by scope need the scopes of the section, in sight or not', () => {
    expect(scopeTracks(sections, new Set(['device:/device:TPU:0/XLA Ops']))).toEqual([
      'device:/device:TPU:0/Framework Name Scope',
    ]);
    expect(scopeTracks(sections, new Set(['host:0/python']))).toEqual([]);
  });
});

describe('names on boxes', () => {
  const cutter = () => new TextCutter((text) => 10 * Array.from(text).length);

  test('are whole where they fit, else cut with an ellipsis, else left out', () => {
    const texts = cutter();
    expect(texts.cut('fusion', 60)).toBe('fusion');
    expect(texts.cut('fusion', 59)).toBe('fusi…');
    expect(texts.cut('fusion', 20)).toBe('f…');
    expect(texts.cut('fusion', 19)).toBe('');
    expect(texts.cut('fusion', 60)).toBe('fusion');
  });

  test('are never cut inside of a character', () => {
    expect(cutter().cut('🙂🙂🙂', 25)).toBe('🙂…');
    expect(cutter().cut('a'.repeat(100_000), 50)).toBe('aaaa…');
  });
});
