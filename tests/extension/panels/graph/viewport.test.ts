import { expect, test } from 'vitest';
import {
  fitted,
  keeping,
  onCanvas,
  revealing,
  zoomedAt,
  zoomLimits,
} from '../../../../extension/webview/panels/graph/picture/viewport';

const size = { width_px: 800, height_px: 600 };
const box = (left_px: number, top_px: number) => ({ id: 'box', left_px, top_px, width_px: 100, height_px: 40 });

test('all of a picture is in sight where it can be read', () => {
  for (const [width_px, height_px] of [
    [100, 100],
    [1250, 300],
    [300, 900],
  ] as const) {
    const view = fitted({ width_px, height_px }, size, null);
    const all = onCanvas(view, { id: '', left_px: 0, top_px: 0, width_px, height_px });
    expect(all.left_px).toBeGreaterThanOrEqual(0);
    expect(all.top_px).toBeGreaterThanOrEqual(0);
    expect(all.left_px + all.width_px).toBeLessThanOrEqual(800);
    expect(all.top_px + all.height_px).toBeLessThanOrEqual(600);
    expect(view.scale).toBeLessThanOrEqual(1);
  }
});

test('of a larger one there is as much as can be read, about what is meant', () => {
  const view = fitted({ width_px: 9000, height_px: 9000 }, size, box(8000, 4000));
  expect(view.scale).toBe(0.6);
  const { left_px, top_px } = onCanvas(view, box(8000, 4000));
  expect(left_px).toBeGreaterThan(0);
  expect(left_px).toBeLessThan(800);
  expect(top_px).toBeCloseTo(300 - 12, 0);
  // Asked for, all of it is there.
  expect(fitted({ width_px: 9000, height_px: 9000 }, size, null, 0).scale).toBeLessThan(0.1);
});

test('what is zoomed at stays where it is, and comes back', () => {
  const view = { scale: 1, x_px: 30, y_px: -20 };
  const limits = zoomLimits({ width_px: 900, height_px: 900 }, size);
  const nearer = zoomedAt(view, 1.5, [200, 100], limits);
  expect((200 - nearer.x_px) / nearer.scale).toBeCloseTo((200 - view.x_px) / view.scale);
  const back = zoomedAt(nearer, 1 / 1.5, [200, 100], limits);
  expect(back.scale).toBeCloseTo(1);
  expect(back.x_px).toBeCloseTo(30);
});

test('a picture is made no smaller than half of all in sight, and no larger than four times what it is', () => {
  const view = { scale: 1, x_px: 30, y_px: -20 };
  for (const picture of [
    { width_px: 3000, height_px: 500 },
    { width_px: 300, height_px: 200 },
  ]) {
    const limits = zoomLimits(picture, size);
    const whole = fitted(picture, size, null, 0).scale;
    expect(zoomedAt(view, 1 / 1000, [0, 0], limits).scale).toBeCloseTo(whole / 2);
    expect(zoomedAt(view, 1000, [0, 0], limits).scale).toBe(4);
    // Where there is more room than when it was made as small as that.
    const small = { ...view, scale: whole / 4 };
    expect(zoomedAt(small, 1 / 1.5, [0, 0], limits).scale).toBe(small.scale);
  }
});

test('what is selected comes into sight, and nothing moves where it is', () => {
  const view = { scale: 1, x_px: 0, y_px: 0 };
  expect(revealing(view, box(300, 300), size)).toEqual(view);
  for (const place of [box(-500, 10), box(2000, 300), box(400, 900)]) {
    const { left_px, top_px } = onCanvas(revealing(view, place, size), place);
    expect(left_px).toBeGreaterThanOrEqual(0);
    expect(left_px + 100).toBeLessThanOrEqual(800);
    expect(top_px).toBeGreaterThanOrEqual(0);
    expect(top_px + 40).toBeLessThanOrEqual(600);
  }
});

test('a box that has moved in the picture does not on the canvas', () => {
  const view = { scale: 0.7, x_px: 12, y_px: 34 };
  const [before, now] = [box(100, 50), box(420, 350)];
  const at = onCanvas(keeping(view, before, now), now);
  expect(at.left_px).toBeCloseTo(onCanvas(view, before).left_px);
  expect(at.top_px).toBeCloseTo(onCanvas(view, before).top_px);
});
