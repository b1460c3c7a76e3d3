import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { builtPage, emulated, plain } from '../driver/builtPage.js';

// The same windows by both renderers: on a plain canvas, and by WebGL2 in an emulation of a graphics card.

const COLOURS = {
  forward: '#0e6fad',
  backward: '#be3f24',
  recompute: '#c3b130',
  optimizer: '#3bd28c',
  communication: '#ee81b5',
  input: '#aca5fe',
  idle: '#888888',
};
const STYLE = [
  'html { --vscode-editor-background: #1f1f1f; --vscode-foreground: #cccccc; --vscode-charts-blue: #3794ff;',
  ...Object.entries(COLOURS).map(
    ([name, colour]) => `--vscode-scopelight-phase${name.charAt(0).toUpperCase()}${name.slice(1)}: ${colour};`,
  ),
  '}',
  // Names are drawn above by the same canvas in both.
  '.ground canvas:not([data-renderer]) { visibility: hidden }',
].join('\n');
const SIZE = { width: 720, height: 420 };

interface Look {
  /** As parts of the run. */
  readonly from: number;
  readonly to: number;
  readonly scroll_px?: number;
  readonly matched?: string;
  readonly pinned?: readonly number[];
  readonly collapsed?: readonly number[];
  readonly colouring?: 'phase' | 'name' | 'scope' | 'step';
}

const LOOKS: Readonly<Record<string, Look>> = {
  'the whole run': { from: 0, to: 1 },
  'the end of a thread': { from: 0, to: 1, pinned: [20] },
  'a step': { from: 0.21, to: 0.29, colouring: 'name' },
  'a few ops': { from: 0.24, to: 0.2412 },
  'what is scrolled': { from: 0.1, to: 0.5, scroll_px: 177, colouring: 'step' },
  'what was found': { from: 0.2, to: 0.4, matched: 'dot' },
  'what is pinned over what is scrolled': { from: 0.2, to: 0.23, scroll_px: 90, pinned: [4, 9], collapsed: [2] },
};

interface Shown {
  readonly page: Page;
  readonly renderer: string;
}

let browsers: readonly Browser[] = [];
let address = '';

beforeAll(async () => {
  const { packaged, temporaryFolder } = inject('prepared');
  address = await builtPage('tests/bench/timeline/timelinePage.tsx', temporaryFolder, STYLE);
  browsers = await Promise.all(
    [plain, emulated].map((given) =>
      chromium.launch({
        executablePath: packaged.installation.chrome,
        args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb', ...given],
      }),
    ),
  );
});

afterAll(() => Promise.all(browsers.map((browser) => browser.close())));

async function opened(density: number): Promise<readonly Shown[]> {
  return Promise.all(
    browsers.map(async (browser, at) => {
      const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: density });
      const target = new URL(address);
      target.searchParams.set('emulated', at === 1 ? 'yes' : 'no');
      await page.goto(target.href);
      await page.waitForFunction(() => window.timeline.drawn.value !== null);
      const renderer = await page.locator('.ground canvas').first().getAttribute('data-renderer');
      return { page, renderer: renderer ?? '' };
    }),
  );
}

/** Shows a part of the run, and gives its pixels once nothing changes any more. */
async function picture({ page }: Shown, look: Look): Promise<string> {
  await page.evaluate((wanted) => {
    const { timeline: state } = window;
    state.drawn.value = null;
    const sections = state.record.value?.sections ?? [];
    const tracks = sections.flatMap((section) => section.tracks.map(({ id }) => id));
    const named = (places: readonly number[] = []): string[] => places.map((place) => tracks[place] ?? '');
    const { duration_ps } = state.record.value ?? { duration_ps: 1 };
    state.pinned.value = named(wanted.pinned);
    state.collapsed.value = named(wanted.collapsed);
    state.colouring.value = wanted.colouring ?? 'phase';
    state.matcher.value =
      wanted.matched === undefined
        ? null
        : { text: wanted.matched, regex: false, arguments: false, op_key: null, file: null, line: null };
    state.view.value = { start_ps: wanted.from * duration_ps, end_ps: wanted.to * duration_ps };
    state.scroll_px.value = wanted.scroll_px ?? 0;
  }, look);
  // Not what was drawn before.
  await page.waitForFunction(() => window.timeline.drawn.value?.partial === false);
  const shot = async (): Promise<string> => (await page.locator('.drawn').screenshot()).toString('base64');
  let before = '';
  let now = await shot();
  while (now !== before) {
    await page.waitForTimeout(600);
    before = now;
    now = await shot();
  }
  return now;
}

interface Difference {
  readonly pixels: number;
  readonly colours: number;
  /** Pixels that are of another colour in the other picture. */
  readonly other: number;
  /** Those of them that no pixel beside theirs explains: more than an edge that is rounded to the other side. */
  readonly wrong: number;
}

function difference(page: Page, one: string, other: string): Promise<Difference> {
  return page.evaluate(
    async ([first, second]) => {
      const read = async (png: string): Promise<ImageData> => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context?.drawImage(image, 0, 0);
        return context?.getImageData(0, 0, image.width, image.height) ?? new ImageData(1, 1);
      };
      const [a, b] = [await read(first), await read(second)];
      if (a.width !== b.width || a.height !== b.height) {
        throw new Error('The pictures are of different sizes.');
      }
      const [of, by] = [new Uint32Array(a.data.buffer), new Uint32Array(b.data.buffer)];
      let [differing, wrong] = [0, 0];
      of.forEach((colour, at) => {
        if (colour !== by[at]) {
          differing += 1;
          wrong += colour === by[at - 1] || colour === by[at + 1] ? 0 : 1;
        }
      });
      return { pixels: of.length, colours: new Set(of).size, other: differing, wrong };
    },
    [one, other] as const,
  );
}

/** Whether the first row of a thread has another colour in its last pixel than in the one before it. */
async function hasInstantAtTheEnd({ page }: Shown, png: string): Promise<boolean> {
  return page.evaluate(async (encoded) => {
    const thread = window.timeline.picture.value?.rows().find(({ track }) => track === 'host:0/python');
    const drawn = document.querySelector('.drawn')?.getBoundingClientRect();
    if (thread === undefined || drawn === undefined || thread.top_px + thread.height_px > drawn.height) {
      throw new Error('The thread is not in sight.');
    }
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${encoded}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const y = Math.round((thread.top_px + thread.height_px / 2) * (image.height / drawn.height));
    const [before, last] = [2, 1].map((fromRight) =>
      String(context?.getImageData(image.width - fromRight, y, 1, 1).data),
    );
    return before !== last;
  }, png);
}

describe.each([1, 2])('with %i pixels of the screen in one', (density) => {
  test('both renderers draw the same boxes at the same pixels', async () => {
    const shown = await opened(density);
    expect(shown.map(({ renderer }) => renderer)).toEqual(['canvas2d', 'webgl2']);
    const [plainPage, webglPage] = shown;
    if (plainPage === undefined || webglPage === undefined) {
      throw new Error('There are no two pages.');
    }
    const seen = new Set<string>();
    for (const [name, look] of Object.entries(LOOKS)) {
      const drawn = [await picture(plainPage, look), await picture(webglPage, look)] as const;
      const { pixels, colours, other, wrong } = await difference(plainPage.page, ...drawn);
      expect(colours, name).toBeGreaterThan(4);
      // An edge may be rounded to the other side: single precision, three parts in a thousand of all pixels at most.
      expect(wrong / pixels, `${name}: pixels of another colour`).toBeLessThan(0.0003);
      expect(other / pixels, `${name}: edges at another pixel`).toBeLessThan(0.003);
      if (name === 'the end of a thread') {
        expect(await hasInstantAtTheEnd(plainPage, drawn[0]), 'an instant at the very end, on a canvas').toBe(true);
        expect(await hasInstantAtTheEnd(webglPage, drawn[1]), 'an instant at the very end, by WebGL2').toBe(true);
      }
      expect(seen.has(drawn[0]), `${name} looks as another`).toBe(false);
      seen.add(drawn[0]);
    }
    await Promise.all(shown.map(({ page }) => page.close()));
  });
});
