// The tracks: labels at the left, the picture beside them, a scroll bar at the right. What tools put above the picture
// are its children.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useSize } from '../../../shared/frame/size';
import { Canvas2dRenderer } from '../drawing/boxes/canvas2d';
import type { Renderer } from '../drawing/boxes/renderer';
import { Webgl2Renderer } from '../drawing/boxes/webgl2';
import { Labels, type OnTrackMenu } from './labels';
import { LabelsEdge } from './labelsEdge';
import { mostScroll } from '../state/layout';
import { Overlay } from '../drawing/overlay';
import { type Canvases, type PictureHost, TracksPicture } from '../drawing/picture';
import type { TimelineState } from '../state/state';
import './tracks.css';

export interface TracksCanvasProps {
  readonly state: TimelineState;
  readonly host: PictureHost;
  readonly onTrackMenu: OnTrackMenu;
  readonly children?: ComponentChildren;
}

export function TracksCanvas(props: TracksCanvasProps) {
  const { state, host } = props;
  const drawn = useRef<HTMLDivElement>(null);
  const ground = useRef<HTMLDivElement>(null);
  const size = useSize(drawn);
  const [picture, setPicture] = useState<TracksPicture | null>(null);

  useLayoutEffect(() => {
    if (size !== null) {
      state.size.value = size;
    }
  }, [size]);
  useLayoutEffect(() => {
    const place = ground.current;
    if (place === null) {
      return undefined;
    }
    const made = new TracksPicture(
      state,
      host,
      canvasesIn(place, () => made.use(canvasesIn(place, null))),
    );
    setPicture(made);
    return () => {
      made.dispose();
      place.replaceChildren();
    };
  }, [state]);

  return (
    <div class="tracks">
      {picture === null ? (
        <div class="labels" />
      ) : (
        <Labels state={state} layout={picture.layout} onTrackMenu={props.onTrackMenu} />
      )}
      <div class="drawn" ref={drawn}>
        <div class="ground" ref={ground} aria-hidden="true" />
        <div class="over">{props.children}</div>
      </div>
      <ScrollBar state={state} picture={picture} />
      <LabelsEdge state={state} />
    </div>
  );
}

/** Makes canvases, by the graphics card unless there is none or `onLost` is null. */
function canvasesIn(place: HTMLElement, onLost: (() => void) | null): Canvases {
  place.replaceChildren();
  const canvas = (): HTMLCanvasElement => place.appendChild(document.createElement('canvas'));
  const renderer = rendererOn(canvas, onLost);
  renderer.canvas.dataset['renderer'] = renderer.kind;
  return { renderer, overlay: new Overlay(canvas()) };
}

function rendererOn(canvas: () => HTMLCanvasElement, onLost: (() => void) | null): Renderer {
  if (onLost !== null) {
    const element = canvas();
    try {
      return new Webgl2Renderer(element, onLost);
    } catch {
      // A canvas that was asked for one context gives no other.
      element.remove();
    }
  }
  return new Canvas2dRenderer(canvas());
}

/** A scroll bar as the system has them, beside a picture that no element is as high as. */
function ScrollBar(props: { readonly state: TimelineState; readonly picture: TracksPicture | null }) {
  const { state, picture } = props;
  const element = useRef<HTMLDivElement>(null);
  const layout = picture?.layout.value;
  const scroll_px = state.scroll_px.value;
  const height_px = layout?.height_px ?? 0;
  useEffect(() => {
    const bar = element.current;
    if (bar !== null && Math.abs(bar.scrollTop - scroll_px) >= 1) {
      bar.scrollTop = scroll_px;
    }
  }, [scroll_px, height_px]);
  return (
    <div
      class="scroll-bar"
      ref={element}
      tabIndex={-1}
      aria-hidden="true"
      onScroll={() => {
        const bar = element.current;
        // What it says is rounded: only a person's move is a change.
        if (bar !== null && layout !== undefined && Math.abs(bar.scrollTop - state.scroll_px.peek()) >= 1) {
          state.scroll_px.value = Math.min(bar.scrollTop, mostScroll(layout, state.size.peek().height_px));
        }
      }}
    >
      <div style={{ height: `${String(height_px)}px` }} />
    </div>
  );
}
