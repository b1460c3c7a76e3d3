/**
 * What drawing the timeline costs: `npm run --silent bench:timeline-draw`. A page draws 20,000 boxes and is panned,
 * zoomed and scrolled; prints one line of JSON for each renderer: milliseconds of script for a frame, from the input to
 * the last draw call (median and 95th percentile), and frames per second beside those of an empty canvas.
 */
import { chromium, type Page } from 'playwright-core';
import { builtPage, emulated, plain } from '../../e2e/driver/builtPage.js';
import { installEditor } from '../../e2e/packaged.js';
import { inFolder } from '../measuring.js';

const BOXES = 20_000;
const FRAMES = 60;
/** Rounds of so many frames, of which the least disturbed counts: without a GPU the picture takes all processors. */
const ROUNDS = 2;

interface Figures {
  readonly renderer: string;
  readonly boxes: number;
  readonly script_ms: { readonly median: number; readonly p95: number };
  readonly frames_per_s: number;
  readonly empty_frames_per_s: number;
}

/** Moves the view as an input does, once a frame, and measures the input's script and the frame's. */
async function measureFrames(page: Page): Promise<readonly number[]> {
  return page.evaluate(
    (frames) =>
      new Promise<number[]>((resolve) => {
        const { timeline: state } = window;
        const measured: number[] = [];
        const request = window.requestAnimationFrame.bind(window);
        let spent_ms = 0;
        // What the page itself draws in a frame is counted; so is nothing else that runs in it.
        window.requestAnimationFrame = (draw) =>
          request((now) => {
            const from_ms = performance.now();
            draw(now);
            spent_ms += performance.now() - from_ms;
          });
        const { start_ps, end_ps } = state.view.value;
        const length_ps = end_ps - start_ps;
        const input = (): void => {
          if (measured.length === frames) {
            resolve(measured);
            return;
          }
          const at = measured.length;
          const factor = 1 + 0.04 * Math.sin(at / 9);
          const from_ps = start_ps + length_ps * 0.2 * Math.sin(at / 23);
          spent_ms = 0;
          const before_ms = performance.now();
          state.view.value = { start_ps: from_ps, end_ps: from_ps + length_ps * factor };
          if (at % 7 === 0) {
            state.scroll_px.value = 10 + 10 * Math.sin(at);
          }
          spent_ms += performance.now() - before_ms;
          // The picture's own callback was asked for by the change of the view, so it runs before this one.
          request(() => {
            measured.push(spent_ms);
            setTimeout(input, 0);
          });
        };
        input();
      }),
    FRAMES,
  );
}

/** How many frames a second the browser shows while something calls for one after the other. */
async function framesPerSecond(page: Page, isEmpty: boolean): Promise<number> {
  return page.evaluate(
    ({ frames, empty }) =>
      new Promise<number>((resolve) => {
        const { timeline: state } = window;
        const canvas = document.createElement('canvas');
        canvas.width = innerWidth;
        canvas.height = innerHeight;
        canvas.style.cssText = 'position: fixed; inset: 0; z-index: 9';
        const context = empty ? canvas.getContext('2d') : null;
        if (empty) {
          document.body.append(canvas);
        }
        const { start_ps, end_ps } = state.view.value;
        let shown = 0;
        let first_ms = 0;
        const next = (now: number): void => {
          first_ms ||= now;
          if (shown === frames) {
            canvas.remove();
            resolve((1000 * frames) / (now - first_ms));
            return;
          }
          shown += 1;
          if (empty) {
            context?.clearRect(0, 0, 1, 1);
          } else {
            const by_ps = (end_ps - start_ps) * 0.2 * Math.sin(shown / 23);
            state.view.value = { start_ps: start_ps + by_ps, end_ps: end_ps + by_ps };
          }
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    { frames: FRAMES, empty: isEmpty },
  );
}

function percentile(values: readonly number[], ratio: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(ratio * sorted.length))] ?? NaN).toFixed(2));
}

async function measure(built: string, isEmulated: boolean): Promise<Figures> {
  const browser = await chromium.launch({
    executablePath: installEditor().chrome,
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...(isEmulated ? emulated : plain)],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const address = new URL(built);
    address.searchParams.set('boxes', String(BOXES));
    address.searchParams.set('emulated', isEmulated ? 'yes' : 'no');
    await page.goto(address.href);
    await page.waitForFunction(() => window.timeline.drawn.value !== null);
    const { duration_ps } = await page.evaluate(() => window.timeline.record.value ?? { duration_ps: 0 });
    await page.evaluate((length_ps) => {
      window.timeline.view.value = { start_ps: 4 * length_ps, end_ps: 5 * length_ps };
    }, duration_ps / 10);
    await page.waitForTimeout(3000);
    const renderer = await page.evaluate(
      () => (document.querySelector('.ground canvas') as HTMLCanvasElement).dataset['renderer'] ?? '',
    );
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const frames = await measureFrames(page);
      rounds.push({ median: percentile(frames, 0.5), p95: percentile(frames, 0.95) });
    }
    const [script_ms = { median: NaN, p95: NaN }] = rounds.sort((one, other) => one.p95 - other.p95);
    const boxes = await page.evaluate(() => window.timeline.drawn.value?.boxes ?? 0);
    return {
      renderer,
      boxes,
      script_ms,
      frames_per_s: Math.round(await framesPerSecond(page, false)),
      empty_frames_per_s: Math.round(await framesPerSecond(page, true)),
    };
  } finally {
    await browser.close();
  }
}

await inFolder(async (folder) => {
  const address = await builtPage('tests/bench/timeline/timelinePage.tsx', folder);
  for (const isEmulated of [false, true]) {
    console.log(JSON.stringify(await measure(address, isEmulated)));
  }
});
