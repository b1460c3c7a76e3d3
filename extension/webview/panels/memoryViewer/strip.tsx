// Buffers side by side, each as wide as its part: hovered and clicked, or walked by arrow keys. They are
// the rows of the table below.

import * as l10n from '@vscode/l10n';
import { useCallback, useMemo, useRef } from 'preact/hooks';
import type { MemoryBuffer } from '../../../src/protocol';
import type { Box } from '../../shared/charts/box';
import { DrawnCanvas, Outline } from '../../shared/charts/canvas';
import { Legend } from '../../shared/charts/legend';
import { byteSize, count, share } from '../../shared/text/format';
import { useSize } from '../../shared/frame/size';
import { walkByKey } from '../../shared/controls/walkKeys';
import { bufferName, inOrder, measureOf, type Order } from './buffers';
import { CATEGORIES, type Category, categoryFills, categoryName } from './categories';
import { CategoryMark } from './columns';
import { cellAtPlace, type StripCell, stripCells } from './stripCells';
import type { Viewer } from './viewer';

const HEIGHT_PX = 28;

export function Strip(props: {
  /** What the buffers are. */
  readonly label: string;
  readonly viewer: Viewer;
  readonly order: Order;
  /** Those that the search has found; null without a search. */
  readonly found: ReadonlySet<MemoryBuffer> | null;
}) {
  const { viewer, order, found } = props;
  const { hovered, pinned } = viewer;
  const buffers = useMemo(() => inOrder(viewer.buffers, order), [viewer.buffers, order]);
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const width_px = size?.width_px ?? 0;
  const measure = measureOf(order);
  const cells = useMemo(() => stripCells(buffers, measure, width_px), [buffers, measure, width_px]);
  const draw = useCallback((context: CanvasRenderingContext2D) => drawCells(context, cells, found), [cells, found]);
  const cellOf = (id: string | undefined): StripCell | undefined =>
    id === undefined ? undefined : cells.find((cell) => cell.buffers.some((buffer) => buffer.id === id));
  const legend = useMemo(() => {
    const bytes = bytesByCategory(buffers);
    return CATEGORIES.map((category) => {
      const own = bytes.get(category);
      const mark = <CategoryMark category={category} />;
      return own === undefined ? null : { mark, text: categoryName(category), note: byteSize(own) };
    });
  }, [buffers]);
  const under = (event: MouseEvent): MemoryBuffer | null => {
    const left_px = place.current?.getBoundingClientRect().left ?? 0;
    return cellAtPlace(cells, event.clientX - left_px)?.largest ?? null;
  };
  const onKeyDown = (event: KeyboardEvent): void =>
    walkByKey(event, {
      rows: buffers,
      chosen: buffers.find(({ id }) => id === pinned?.id) ?? null,
      onWalk: ({ id }) => viewer.pin(id),
      onOpen: ({ id }) => viewer.go(id),
    });
  const read = buffers.find(({ id }) => id === (hovered ?? pinned)?.id) ?? null;
  const whole = buffers.reduce((sum, buffer) => sum + Math.max(0, measure(buffer)), 0);
  const isUnpadded = order === 'padding' && whole === 0;
  return (
    <section class="buffer-strip" aria-label={props.label}>
      <p class="readout" aria-live="polite">
        {isUnpadded
          ? l10n.t('None of these buffers is padded.')
          : read === null
            ? l10n.t(
                '{0}, {1}: arrow keys walk, Enter goes to the line',
                bufferCount(buffers),
                byteSize(bytesOf(buffers)),
              )
            : bufferText(read, viewer, measure(read) / Math.max(1, whole), order)}
      </p>
      <div
        class="strip-place"
        role="application"
        aria-roledescription={l10n.t('chart')}
        aria-label={l10n.t('{0}, by their size', props.label)}
        tabIndex={0}
        ref={place}
        style={{ height: `${String(HEIGHT_PX)}px`, display: isUnpadded ? 'none' : undefined }}
        onMouseMove={(event) => viewer.hover(under(event)?.id ?? null)}
        onMouseLeave={() => viewer.hover(null)}
        onClick={(event) => {
          const buffer = under(event);
          if (buffer !== null) {
            viewer.pin(buffer.id);
          }
        }}
        onDblClick={(event) => {
          const buffer = under(event);
          if (buffer !== null) {
            viewer.go(buffer.id);
          }
        }}
        onKeyDown={onKeyDown}
      >
        <DrawnCanvas size={{ width_px, height_px: HEIGHT_PX }} draw={draw} />
        <Outline kind="chosen" box={boxOf(cellOf(pinned?.id))} />
        <Outline kind="hovered" box={boxOf(cellOf(hovered?.id))} />
      </div>
      <Legend entries={legend} />
    </section>
  );
}

function bytesOf(buffers: readonly MemoryBuffer[]): number {
  return buffers.reduce((sum, { bytes }) => sum + bytes, 0);
}

function bytesByCategory(buffers: readonly MemoryBuffer[]): ReadonlyMap<Category, number> {
  const sums = new Map<Category, number>();
  for (const { category, bytes } of buffers) {
    sums.set(category, (sums.get(category) ?? 0) + bytes);
  }
  return sums;
}

function bufferCount(buffers: readonly MemoryBuffer[]): string {
  const all = buffers.reduce((sum, buffer) => sum + buffer.count, 0);
  return all === 1 ? l10n.t('1 buffer') : l10n.t('{0} buffers', count(all));
}

function bufferText(buffer: MemoryBuffer, { record, mark }: Viewer, part: number, order: Order): string {
  return [
    bufferName(buffer, record.small_bytes),
    `${mark}${byteSize(buffer.bytes)}`,
    order === 'padding' ? l10n.t('{0} of all padding', share(part)) : l10n.t('{0} of all', share(part)),
    categoryName(buffer.category),
  ].join(' · ');
}

function boxOf(cell: StripCell | undefined): Box | null {
  return cell === undefined
    ? null
    : { left_px: cell.x_px, top_px: 0, width_px: Math.max(3, cell.width_px), height_px: HEIGHT_PX };
}

function drawCells(
  context: CanvasRenderingContext2D,
  cells: readonly StripCell[],
  found: ReadonlySet<MemoryBuffer> | null,
): void {
  const fills = categoryFills(context);
  for (const { buffers, largest, x_px, width_px } of cells) {
    context.globalAlpha = found === null || buffers.some((buffer) => found.has(buffer)) ? 1 : 0.2;
    context.fillStyle = fills[largest.category].pattern;
    const gap_px = width_px > 3 ? 1 : 0;
    context.fillRect(x_px, 0, Math.max(1, width_px - gap_px), HEIGHT_PX);
  }
  context.globalAlpha = 1;
}
