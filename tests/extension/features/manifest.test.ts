import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LINE_COMMANDS } from '../../../extension/src/lines/annotatedLine';
import { openCommand, panelIds } from '../../../extension/src/panels/panelList';

interface Manifest {
  readonly icon: string;
  readonly contributes: {
    readonly commands: readonly { command: string; title: string; category: string }[];
    readonly menus: Readonly<Record<string, readonly { command: string; when?: string; group?: string }[]>>;
    readonly colors: readonly { id: string; defaults: Readonly<Record<Theme, string>> }[];
    readonly views: Readonly<Record<string, readonly { id: string; icon: string }[]>>;
    readonly customEditors: readonly {
      viewType: string;
      selector: readonly { filenamePattern: string }[];
      priority: string;
    }[];
    readonly viewsWelcome: readonly { view: string; contents: string }[];
    readonly walkthroughs: readonly {
      steps: readonly {
        id: string;
        description: string;
        completionEvents: readonly string[];
        media: { svg: string };
      }[];
    }[];
    readonly configuration: readonly { properties: Readonly<Record<string, { default: unknown; type: string }>> }[];
  };
}

type Theme = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

const root = process.cwd();
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;
const { commands, menus, colors, views, viewsWelcome, walkthroughs, configuration, customEditors } =
  manifest.contributes;
const ids = new Set(commands.map(({ command }) => command));

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile() && /\.tsx?$/.test(each.name))
    .map((each) => readFileSync(path.join(each.parentPath, each.name), 'utf8'));
}

describe('texts of the manifest', () => {
  const used = new Set([...read('package.json').matchAll(/"%([^%"]+)%"/g)].map((match) => match[1] ?? ''));

  test('are all there, and all used', () => {
    expect([...used].filter((key) => !(key in texts))).toEqual([]);
    expect(Object.keys(texts).filter((key) => !used.has(key))).toEqual([]);
  });

  test('link only to commands that exist', () => {
    const linked = Object.values(texts).flatMap((text) => [...text.matchAll(/command:(scopelight\.\w+)/g)]);
    expect(linked.length).toBeGreaterThan(0);
    expect(linked.map((match) => match[1]).filter((id) => !ids.has(id ?? ''))).toEqual([]);
  });

  test('name settings that exist', () => {
    const settings = new Set(configuration.flatMap(({ properties }) => Object.keys(properties)));
    const named = Object.values(texts).flatMap((text) => [...text.matchAll(/#(scopelight\.[\w.]+)#/g)]);
    expect(named.map((match) => match[1]).filter((id) => !settings.has(id ?? ''))).toEqual([]);
  });
});

describe('commands', () => {
  test('have the category Scopelight and are in the palette under a condition', () => {
    for (const { command, category } of commands) {
      expect(texts[category.slice(1, -1)]).toBe('Scopelight');
      const entries = menus['commandPalette']?.filter((entry) => entry.command === command) ?? [];
      expect(
        entries.map(({ when }) => typeof when),
        command,
      ).toEqual(['string']);
    }
  });

  test('in menus exist', () => {
    const named = Object.values(menus).flatMap((entries) => entries.map(({ command }) => command));
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('that hover cards link to may be run from there', () => {
    const linked = [...read('daemon/scopelight/server/lines/hover.py').matchAll(/"(scopelight\.\w+)": text/g)];
    expect(linked.length).toBeGreaterThan(0);
    expect(linked.map((match) => match[1]).filter((id) => !LINE_COMMANDS.includes(id ?? ''))).toEqual([]);
  });

  test('are registered by the extension, each of them and no other', () => {
    const registered = sourceFiles(path.join(root, 'extension/src')).flatMap((source) =>
      [
        ...source.matchAll(
          /(?:registerCommand|ofRun)\(\s*(?:(?:services|this\.services|\{[^}]*\}),\s*)?'(scopelight\.\w+)'/g,
        ),
      ].map((match) => match[1] ?? ''),
    );
    const all = [...registered, ...panelIds.map(openCommand)];
    expect(all.sort()).toEqual([...ids].sort());
  });
});

test('views have welcome texts, icons and pictures that exist', () => {
  const viewIds = new Set(Object.values(views).flatMap((all) => all.map(({ id }) => id)));
  expect(viewsWelcome.filter(({ view }) => !viewIds.has(view))).toEqual([]);
  const files = [
    manifest.icon,
    ...Object.values(views).flatMap((all) => all.map(({ icon }) => icon)),
    ...walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
  ];
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('profiles open as a timeline; an editor of names that are of other tools too is an option', () => {
  const patterns = customEditors.map(({ viewType, selector, priority }) => [
    viewType,
    selector.map(({ filenamePattern }) => filenamePattern),
    priority,
  ]);
  expect(patterns).toEqual([
    ['scopelight.profile', ['*.xplane.pb'], 'default'],
    ['scopelight.memorySnapshot', ['*.prof', '*.pprof'], 'option'],
  ]);
});

test('the walkthrough has four steps that can be completed', () => {
  const steps = walkthroughs.flatMap((each) => each.steps);
  expect(steps.map(({ id }) => id)).toEqual(['profile', 'readLine', 'hotLines', 'profileAgain']);
  const events = steps.flatMap(({ completionEvents }) => completionEvents);
  const named = events
    .filter((event) => event.startsWith('onCommand:'))
    .map((event) => event.slice('onCommand:'.length));
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
});

describe('colours', () => {
  const grounds: Record<Theme, string> = {
    dark: '#1f1f1f',
    light: '#ffffff',
    highContrast: '#000000',
    highContrastLight: '#ffffff',
  };
  const themes = Object.keys(grounds) as Theme[];
  const least = (id: string) => {
    if (id.endsWith('Foreground')) {
      return 4.5;
    }
    return id === 'scopelight.heat1' ? 1.4 : 3;
  };

  test.each(colors.flatMap((color) => themes.map((theme) => [color.id, theme, color.defaults[theme]] as const)))(
    '%s is seen in the theme %s',
    (id, theme, color) => {
      expect(contrast(color, grounds[theme])).toBeGreaterThanOrEqual(least(id));
    },
  );

  test.each(themes)('of heat grow away from the ground in the theme %s', (theme) => {
    const heats = [1, 2, 3, 4, 5].map((heat) => colors.find(({ id }) => id === `scopelight.heat${heat}`));
    const contrasts = heats.map((heat) => contrast(heat?.defaults[theme] ?? '', grounds[theme]));
    expect(contrasts).toEqual([...contrasts].sort((one, other) => one - other));
    expect(new Set(contrasts).size).toBe(5);
  });

  test.each(themes)('of phases are told apart without seeing red, green or blue in the theme %s', (theme) => {
    const phases = colors.filter(({ id }) => id.startsWith('scopelight.phase'));
    expect(phases).toHaveLength(8);
    for (const see of Object.values(DEFICIENCIES)) {
      const seen = phases.map(({ id, defaults }) => [id, lab(see(linear(defaults[theme])))] as const);
      for (const [index, [id, color]] of seen.entries()) {
        for (const [otherId, other] of seen.slice(index + 1)) {
          const difference = Math.hypot(...color.map((value, axis) => value - (other[axis] ?? 0)));
          expect(difference, `${id} and ${otherId}`).toBeGreaterThan(9);
        }
      }
    }
  });
});

type Triple = readonly [number, number, number];

/** Linear RGB as eyes without one kind of cone have it. Viénot, Brettel and Mollon (1999); blue as DaltonLens has it. */
const DEFICIENCIES: Record<string, (color: Triple) => Triple> = {
  none: (color) => color,
  red: (color) =>
    apply(
      [
        [0.11238, 0.88762, 0],
        [0.11238, 0.88762, 0],
        [0.00401, -0.00401, 1],
      ],
      color,
    ),
  green: (color) =>
    apply(
      [
        [0.29275, 0.70725, 0],
        [0.29275, 0.70725, 0],
        [-0.02234, 0.02234, 1],
      ],
      color,
    ),
  blue: (color) =>
    apply(
      [
        [1.01277, 0.13548, -0.14826],
        [-0.01243, 0.86812, 0.14431],
        [0.07589, 0.805, 0.11911],
      ],
      color,
    ),
};

function apply(matrix: readonly Triple[], [r, g, b]: Triple): Triple {
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const [x, y, z] = matrix.map((row) => clamp(row[0] * r + row[1] * g + row[2] * b));
  return [x ?? 0, y ?? 0, z ?? 0];
}

function linear(color: string): Triple {
  const channel = (start: number) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function luminance(color: string): number {
  const [r, g, b] = linear(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of the Web Content Accessibility Guidelines. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** CIELAB, in which distances are near to those that are seen. */
function lab([r, g, b]: Triple): Triple {
  const curve = (value: number) => (value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116);
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
