// The picture of the graph: moved and zoomed by mouse, walked by keys. What it shows is in a table as well.

import * as l10n from '@vscode/l10n';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { besidePointer } from '../../shared/charts/besidePointer';
import { DrawnCanvas, Outline } from '../../shared/charts/canvas';
import { useDrag } from '../../shared/controls/drag';
import { Menu, type OpenMenu } from '../../shared/controls/menu';
import { type Size, useSize } from '../../shared/frame/size';
import { usePage } from '../../shared/page/page';
import { dotted } from '../../shared/text/format';
import type { GraphNode } from '../../../src/protocol';
import { NodeCard } from './card';
import { keyOf } from './keys';
import type { LayoutBox } from './layout/request';
import { menuOf } from './menu';
import { fullAt } from './model/overlays';
import { readout } from './model/words';
import { chevronBox } from './picture/drawNode';
import { boxFinder } from './picture/hits';
import { drawGraph } from './picture/picture';
import { fitted, onCanvas, panned, type Viewport, zoomedAt, zoomLimits } from './picture/viewport';
import { useViewport } from './picture/useViewport';
import type { Arranged, Viewer } from './viewer';

const ZOOM_PER_PX = 0.0016;
/** Lines and pages, which some mice count in, in pixels. */
const LINE_PX = 20;
const MOST_TURN_PX = 240;
/** What is dragged less is a click. */
const DRAG_FROM_PX = 4;

export function GraphView(props: { readonly viewer: Viewer; readonly arranged: Arranged }) {
  const { viewer, arranged } = props;
  const { layout, model } = arranged;
  const { selected, overlay, tinted, found } = viewer;
  const page = usePage();
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place) ?? NO_SIZE;
  const boxes = useMemo(() => new Map([...layout.nodes, ...layout.groups].map((box) => [box.id, box])), [layout]);
  const boxAt = useMemo(() => boxFinder(layout), [layout]);
  const chosen = boxes.get(selected?.key ?? '') ?? null;
  /** What is pressed stays under the pointer, for a second press. */
  const isPressed = useRef(false);
  const [view, { move, openAnew }] = useViewport({ arranged, boxes, size, selected: chosen }, isPressed);
  const [hovered, setHovered] = useState<GraphNode | null>(null);
  const [pointer, setPointer] = useState({ x_px: 0, y_px: 0 });
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const hasDragged = useRef(false);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) =>
      drawGraph(
        context,
        { model, layout, overlay, full: fullAt(model, overlay), tinted, selected: selected?.key ?? null, found },
        view,
        size,
      ),
    [model, layout, overlay, tinted, selected?.key, found, view, size],
  );

  const placeOf = (event: MouseEvent): { readonly x_px: number; readonly y_px: number } => {
    const box = place.current?.getBoundingClientRect();
    return { x_px: event.clientX - (box?.left ?? 0), y_px: event.clientY - (box?.top ?? 0) };
  };
  const under = (event: MouseEvent): { readonly node: GraphNode; readonly isChevron: boolean } | null => {
    const at = placeOf(event);
    const [x_px, y_px] = [(at.x_px - view.x_px) / view.scale, (at.y_px - view.y_px) / view.scale];
    const box = boxAt(x_px, y_px);
    const node = model.byKey.get(box?.id ?? '');
    return box === null || node === undefined ? null : { node, isChevron: isIn(chevronBox(box), x_px, y_px) };
  };
  const drag = useDrag<{ readonly event: PointerEvent; readonly view: Viewport }>({
    take: (event) => {
      hasDragged.current = false;
      return event.button === 0 ? { event, view } : null;
    },
    move: (from, event) => {
      const [x_px, y_px] = [event.clientX - from.event.clientX, event.clientY - from.event.clientY];
      if (hasDragged.current || Math.hypot(x_px, y_px) >= DRAG_FROM_PX) {
        hasDragged.current = true;
        setHovered(null);
        move(panned(from.view, x_px, y_px));
      }
    },
  });
  // A wheel that is listened to by a component scrolls the page as well.
  const turned = useRef<(event: WheelEvent) => void>(() => undefined);
  turned.current = (event) => {
    event.preventDefault();
    const at = placeOf(event);
    const unit_px = [1, LINE_PX, size.height_px][event.deltaMode] ?? 1;
    const turn_px = Math.max(-MOST_TURN_PX, Math.min(MOST_TURN_PX, event.deltaY * unit_px));
    // A pinch is told in small steps.
    const factor = Math.exp(-turn_px * (event.ctrlKey ? 5 : 1) * ZOOM_PER_PX);
    setHovered(null);
    move(
      event.shiftKey
        ? panned(view, -(event.deltaX + event.deltaY) * unit_px, 0)
        : zoomedAt(view, factor, [at.x_px, at.y_px], zoomLimits(layout, size)),
    );
  };
  useEffect(() => {
    const element = place.current;
    const listen = (event: WheelEvent): void => turned.current(event);
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, []);

  const openMenu = (node: GraphNode, x_px: number, y_px: number): void => {
    setHovered(null);
    viewer.select(node);
    setMenu({ items: menuOf(page, viewer, node), x_px, y_px });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    setHovered(null);
    const isMenuKey = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
    if (isMenuKey && selected !== null && chosen !== null) {
      const box = onCanvas(view, chosen);
      const around = place.current?.getBoundingClientRect();
      openMenu(selected, (around?.left ?? 0) + box.left_px + 16, (around?.top ?? 0) + box.top_px + 16);
      event.preventDefault();
    } else if (
      keyOf(event, {
        page,
        viewer,
        boxes,
        zoom: (factor) => move(zoomedAt(view, factor, middleOf(size, view, chosen), zoomLimits(layout, size))),
        fit,
        openAnew,
      })
    ) {
      event.preventDefault();
    }
  };
  const fit = (): void => move(fitted(layout, size, chosen, 0));

  const isHere = hovered !== null && model.byKey.get(hovered.key) === hovered;
  const read = isHere ? hovered : selected;
  return (
    <div class="graph-picture">
      <p class="readout" aria-live="polite">
        {read === null
          ? l10n.t('Arrow keys walk, Enter goes to the line, O opens, N shows neighbours, Home shows all lines')
          : dotted([readout(read, model, overlay), tinted?.markOf(read) ?? ''])}
      </p>
      <div
        class="graph-place"
        role="application"
        aria-roledescription={l10n.t('graph')}
        aria-label={l10n.t(
          'Graph: arrow keys walk along edges, [ and ] go to producers and consumers, + and − widen and narrow',
        )}
        tabIndex={0}
        ref={place}
        onKeyDown={onKeyDown}
        {...drag}
        onPointerMove={(event) => {
          drag.onPointerMove(event);
          setPointer({ x_px: event.clientX, y_px: event.clientY });
          setHovered(hasDragged.current && event.buttons > 0 ? null : (under(event)?.node ?? null));
        }}
        onPointerLeave={() => setHovered(null)}
        onClick={(event) => {
          const at = hasDragged.current ? null : under(event);
          isPressed.current = true;
          if (at?.isChevron === true && viewer.toggle(at.node)) {
            viewer.select(at.node);
          } else if (!hasDragged.current) {
            viewer.select(at?.node ?? null);
          }
        }}
        onDblClick={(event) => {
          const at = under(event);
          if (at === null) {
            fit();
          } else if (!at.isChevron && !page.host.goToLineOf(at.node)) {
            viewer.toggle(at.node);
          }
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          const at = under(event);
          if (at !== null) {
            openMenu(at.node, event.clientX, event.clientY);
          }
        }}
      >
        <DrawnCanvas size={size} draw={draw} />
        <Outline kind="hovered" box={isHere && hovered !== selected ? outlineOf(view, boxes.get(hovered.key)) : null} />
        <Outline kind="chosen" box={outlineOf(view, chosen ?? undefined)} />
      </div>
      {isHere && menu === null ? (
        <div class="pointer-card" aria-hidden="true" style={besidePointer(pointer)}>
          <NodeCard node={hovered} viewer={viewer} />
        </div>
      ) : null}
      {menu === null ? null : <Menu menu={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}

const NO_SIZE: Size = { width_px: 0, height_px: 0 };

function isIn({ left_px, top_px, width_px, height_px }: LayoutBox, x_px: number, y_px: number): boolean {
  return x_px >= left_px && x_px <= left_px + width_px && y_px >= top_px && y_px <= top_px + height_px;
}

function outlineOf(view: Viewport, box: LayoutBox | undefined): LayoutBox | null {
  const OUTSIDE_PX = 2;
  if (box === undefined) {
    return null;
  }
  const { id, left_px, top_px, width_px, height_px } = onCanvas(view, box);
  return {
    id,
    left_px: left_px - OUTSIDE_PX,
    top_px: top_px - OUTSIDE_PX,
    width_px: width_px + 2 * OUTSIDE_PX,
    height_px: height_px + 2 * OUTSIDE_PX,
  };
}

/** What stays where it is when keys zoom: the selected box, or the middle of the canvas. */
function middleOf(size: Size, view: Viewport, chosen: LayoutBox | null): [number, number] {
  if (chosen === null) {
    return [size.width_px / 2, size.height_px / 2];
  }
  const { left_px, top_px, width_px, height_px } = onCanvas(view, chosen);
  return [left_px + width_px / 2, top_px + height_px / 2];
}
