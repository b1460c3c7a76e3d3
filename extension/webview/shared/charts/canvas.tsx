// A canvas that is drawn anew when what it shows, its size or the theme changes.

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Size } from '../frame/size';
import { themeGeneration } from '../theme';
import { type Box, boxStyle } from './box';

export type Draw = (context: CanvasRenderingContext2D) => void;

/** Draws in pixels of the page; `draw` should be the same function as long as the picture is the same. */
export function DrawnCanvas(props: { readonly size: Size; readonly draw: Draw }) {
  const element = useRef<HTMLCanvasElement>(null);
  const generation = themeGeneration().value;
  const { width_px, height_px } = props.size;
  useLayoutEffect(() => {
    const canvas = element.current;
    const context = canvas?.getContext('2d') ?? null;
    if (canvas === null || context === null) {
      return;
    }
    const density = devicePixelRatio;
    canvas.width = Math.round(width_px * density);
    canvas.height = Math.round(height_px * density);
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width_px, height_px);
    props.draw(context);
  }, [props.draw, width_px, height_px, generation]);
  return <canvas ref={element} class="drawn-canvas" aria-hidden="true" style={boxStyle({ width_px, height_px })} />;
}

/** The outline of what is pointed at in a picture, or was chosen; nothing where that is not in it. */
export function Outline(props: { readonly kind: 'hovered' | 'chosen'; readonly box: Box | null }) {
  const { kind, box } = props;
  return box === null ? null : <span class={`outline ${kind}`} aria-hidden="true" style={boxStyle(box)} />;
}
