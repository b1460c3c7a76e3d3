// The picture of a graph on a canvas: groups, edges over them, nodes over those.

import type { ComparedGraph } from '../compared';
import type { Layout, LayoutBox } from '../layout/request';
import type { GraphModel } from '../model/model';
import type { GraphOverlay } from '../model/overlays';
import type { Size } from '../../../shared/frame/size';
import { coloursOf } from './colours';
import { drawEdges } from './drawEdges';
import { drawGroup, drawGroupTitle, type DrawnNode, drawNode } from './drawNode';
import { onCanvas, type Viewport } from './viewport';

export interface Picture {
  readonly model: GraphModel;
  readonly layout: Layout;
  readonly overlay: GraphOverlay;
  /** What a full bar is. */
  readonly full: number;
  /** What became of the nodes, where they are coloured by it. */
  readonly tinted: ComparedGraph | null;
  readonly selected: string | null;
  /** Keys that a search has found; null without a search. */
  readonly found: ReadonlySet<string> | null;
}

export function drawGraph(context: CanvasRenderingContext2D, picture: Picture, view: Viewport, size: Size): void {
  const { layout, model } = picture;
  const colours = coloursOf(context);
  const isSeen = (box: LayoutBox): boolean => {
    const { left_px, top_px, width_px, height_px } = onCanvas(view, box);
    return left_px < size.width_px && left_px + width_px > 0 && top_px < size.height_px && top_px + height_px > 0;
  };
  context.save();
  context.translate(view.x_px, view.y_px);
  context.scale(view.scale, view.scale);
  const each = (boxes: readonly LayoutBox[], draw: (context: CanvasRenderingContext2D, drawn: DrawnNode) => void) => {
    for (const box of boxes.filter(isSeen)) {
      const node = model.byKey.get(box.id);
      if (node !== undefined) {
        draw(context, { node, box, picture, colours, scale: view.scale });
      }
    }
  };
  each(layout.groups, drawGroup);
  drawEdges(context, picture, colours, view.scale);
  each(layout.nodes, drawNode);
  each(layout.groups, drawGroupTitle);
  context.restore();
}
