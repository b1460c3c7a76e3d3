// How a part looks in a chart, for its legend: its hue in its pattern.

import { type HatchName, hatched } from '../charts/hatch';
import { themeColour, themeGeneration } from '../theme';
import { useLayoutEffect, useRef } from 'preact/hooks';

const WIDTH_PX = 20;
const HEIGHT_PX = 12;

export function LookMark(props: { readonly hue: `--${string}`; readonly hatch: HatchName }) {
  const { hue, hatch } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const generation = themeGeneration().value;
  useLayoutEffect(() => {
    const drawn = canvas.current;
    const context = drawn?.getContext('2d') ?? null;
    if (drawn === null || context === null) {
      return;
    }
    drawn.width = WIDTH_PX * devicePixelRatio;
    drawn.height = HEIGHT_PX * devicePixelRatio;
    context.scale(devicePixelRatio, devicePixelRatio);
    context.fillStyle = hatched(context, themeColour(hue), hatch);
    context.fillRect(0, 0, WIDTH_PX, HEIGHT_PX);
  }, [hue, hatch, generation]);
  return <canvas class="series-mark look-mark" ref={canvas} aria-hidden="true" />;
}
