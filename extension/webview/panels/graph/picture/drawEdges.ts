// The edges of the picture: curves as wide as what they hand on; those of the selected node and of a way stand out.

import type { LayoutRoute } from '../layout/request';
import { greatest } from '../../../shared/table/greatest';
import { fitted } from '../../../shared/charts/text';
import { pairOf } from '../model/model';
import { titleOf } from '../model/words';
import { phaseName } from '../../../shared/text/phases';
import type { GraphEdge, GraphNode } from '../../../../src/protocol';
import type { Colours } from './colours';
import type { Picture } from './picture';

const THINNEST_PX = 1;
const WIDTHS_PX = 5;
const ARROW_PX = 5;
const STUB_PX = 14;
const STUB_FONT_PX = 11;
const STUB_GAP_PX = 8;
/** As much of a name as is always written. */
const LEAST_STUB_PX = 120;
const STUBS_FROM_SCALE = 0.8;
const FAINT = 0.22;
const USUAL = 0.5;

interface Drawn {
  readonly edge: GraphEdge;
  readonly route: LayoutRoute;
  readonly rank: 'faint' | 'usual' | 'strong';
}

export function drawEdges(context: CanvasRenderingContext2D, picture: Picture, colours: Colours, scale: number): void {
  const { model, layout, selected } = picture;
  const most_bytes = greatest(
    model.edges.filter(({ kind }) => kind === 'data'),
    ({ bytes }) => bytes,
    1,
  );
  const hasStrong =
    model.route.size > 0 || (selected !== null && (model.into.has(selected) || model.outOf.has(selected)));
  const all = layout.routes.flatMap((route): Drawn[] => {
    const edge = model.edges[route.edge];
    if (edge === undefined) {
      return [];
    }
    const isStrong =
      edge.source === selected || edge.target === selected || model.route.has(pairOf(edge.source, edge.target));
    return [{ edge, route, rank: isStrong ? 'strong' : hasStrong ? 'faint' : 'usual' }];
  });
  context.lineCap = 'butt';
  for (const drawn of [
    ...all.filter(({ rank }) => rank !== 'strong'),
    ...all.filter(({ rank }) => rank === 'strong'),
  ]) {
    const { edge, route, rank } = drawn;
    const width_px = THINNEST_PX + (edge.kind === 'inside' ? 0 : WIDTHS_PX * Math.sqrt((edge.bytes ?? 0) / most_bytes));
    context.globalAlpha = rank === 'strong' || colours.isHighContrast ? 1 : rank === 'usual' ? USUAL : FAINT;
    context.strokeStyle = context.fillStyle = rank === 'strong' ? colours.strong : colours.quiet;
    context.lineWidth = rank === 'strong' ? Math.max(2, width_px) : width_px;
    const arrow_px = ARROW_PX + context.lineWidth / 2;
    context.setLineDash(edge.kind === 'inside' ? [4, 4] : []);
    if (route.isStub) {
      drawStubs(context, route, arrow_px);
    } else {
      drawCurve(context, route, arrow_px);
    }
    context.setLineDash([]);
  }
  context.globalAlpha = 1;
  if (scale >= STUBS_FROM_SCALE) {
    drawStubNames(context, picture, colours, all);
  }
}

function drawCurve(context: CanvasRenderingContext2D, { points_px, isBack }: LayoutRoute, arrow_px: number): void {
  const end_px = (points_px.at(-1) ?? 0) + (isBack ? arrow_px : -arrow_px);
  let [x_px = 0, y_px = 0] = points_px;
  context.beginPath();
  context.moveTo(x_px, y_px);
  for (let place = 2; place < points_px.length; place += 2) {
    const nextX_px = points_px[place] ?? 0;
    const nextY_px = place === points_px.length - 2 ? end_px : (points_px[place + 1] ?? 0);
    const middle_px = (y_px + nextY_px) / 2;
    context.bezierCurveTo(x_px, middle_px, nextX_px, middle_px, nextX_px, nextY_px);
    [x_px, y_px] = [nextX_px, nextY_px];
  }
  context.stroke();
  drawArrow(context, x_px, end_px, isBack ? -1 : 1, arrow_px);
}

function drawArrow(
  context: CanvasRenderingContext2D,
  x_px: number,
  y_px: number,
  down: 1 | -1,
  length_px: number,
): void {
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(x_px, y_px + down * length_px);
  context.lineTo(x_px - length_px * 0.7, y_px - down);
  context.lineTo(x_px + length_px * 0.7, y_px - down);
  context.fill();
}

/** Where a long edge begins and where it ends. */
function drawStubs(context: CanvasRenderingContext2D, { points_px, isBack }: LayoutRoute, arrow_px: number): void {
  const [fromX_px = 0, fromY_px = 0, toX_px = 0, toY_px = 0] = points_px;
  const down = isBack ? -1 : 1;
  context.beginPath();
  context.moveTo(fromX_px, fromY_px);
  context.lineTo(fromX_px, fromY_px + down * STUB_PX);
  context.moveTo(toX_px, toY_px - down * STUB_PX);
  context.lineTo(toX_px, toY_px - down * arrow_px);
  context.stroke();
  drawArrow(context, toX_px, toY_px - down * arrow_px, down, arrow_px);
}

/** Beside the stubs below a box, and above it, which boxes they lead to: the first by name, and how many more. */
function drawStubNames(
  context: CanvasRenderingContext2D,
  { model, layout }: Picture,
  colours: Colours,
  all: readonly Drawn[],
): void {
  const boxes = new Map([...layout.nodes, ...layout.groups].map((box) => [box.id, box]));
  const sides = new Map<string, { readonly own: string; readonly isBelow: boolean; readonly ends: StubEnd[] }>();
  const add = (own: string, isBelow: boolean, end: StubEnd): void => {
    const key = JSON.stringify([own, isBelow]);
    const side = sides.get(key) ?? { own, isBelow, ends: [] };
    side.ends.push(end);
    sides.set(key, side);
  };
  for (const { edge, route } of all) {
    if (route.isStub) {
      const [fromX_px = 0, , toX_px = 0] = route.points_px;
      add(edge.source, !route.isBack, { other: edge.target, x_px: fromX_px });
      add(edge.target, route.isBack, { other: edge.source, x_px: toX_px });
    }
  }
  context.font = `${String(STUB_FONT_PX)}px ${colours.font}`;
  context.textBaseline = 'middle';
  for (const { own, isBelow, ends } of sides.values()) {
    const box = boxes.get(own);
    const first = model.byKey.get(ends[0]?.other ?? '');
    if (box === undefined || first === undefined) {
      continue;
    }
    // At the side that the stubs are at: what else begins there is at the other.
    const right_px = greatest(ends, ({ x_px }) => x_px, -Infinity);
    const left_px = -greatest(ends, ({ x_px }) => -x_px, -Infinity);
    const isLeft = left_px + right_px <= 2 * box.left_px + box.width_px;
    const more = ends.length > 1 ? ` +${String(ends.length - 1)}` : '';
    const room_px = isLeft ? left_px - box.left_px : box.left_px + box.width_px - right_px;
    context.textAlign = isLeft ? 'right' : 'left';
    context.fillStyle = colours.quiet;
    context.fillText(
      `${fitted(context, stubName(first), Math.max(room_px, LEAST_STUB_PX))}${more}`,
      isLeft ? left_px - STUB_GAP_PX : right_px + STUB_GAP_PX,
      isBelow ? box.top_px + box.height_px + STUB_PX / 2 + 2 : box.top_px - STUB_PX / 2 - 2,
    );
  }
  context.textAlign = 'left';
}

interface StubEnd {
  readonly other: string;
  readonly x_px: number;
}

function stubName(node: GraphNode): string {
  return node.kind === 'line' && node.phase !== null ? `${titleOf(node)} ${phaseName(node.phase)}` : titleOf(node);
}
