// The allocation map: where in memory every buffer lies, and from when to when.

import * as l10n from '@vscode/l10n';
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { Box } from '../../shared/charts/box';
import { Outline } from '../../shared/charts/canvas';
import { SeriesChart } from '../../shared/charts/seriesChart';
import type { Paint, Place, Series, SeriesAxes } from '../../shared/charts/seriesOptions';
import { byteSize, count } from '../../shared/text/format';
import { Notice } from '../../shared/page/states';
import { wordsOf } from '../../shared/table/search';
import { themeColour } from '../../shared/theme';
import { type AllocationMap, type Block, blockAt, type Direction, neighbourOf } from './blocks';
import { categoryFills, categoryName } from './categories';
import { axisCount } from './curveData';
import { lifetimeText } from './columns';
import type { Viewer } from './viewer';

const directions: Readonly<Partial<Record<string, Direction>>> = {
  ArrowLeft: 'before',
  ArrowRight: 'after',
  ArrowUp: 'above',
  ArrowDown: 'below',
};
/** Lower blocks have no room for a pattern or an edge. */
const PATTERNED_FROM_PX = 6;

export function MapView({ viewer }: { readonly viewer: Viewer }) {
  const { map, curve, pinned } = viewer;
  const search = viewer.state.search.value;
  const [hovered, setHovered] = useState<Block | null>(null);
  const chosen = useMemo(() => map.blocks.find(({ id }) => id === pinned?.id) ?? null, [map, pinned]);
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: { label: l10n.t('position'), values: curve.places, text: axisCount },
      y: { greatest: map.height_bytes, text: byteSize },
    }),
    [curve, map],
  );
  const series = useMemo<readonly Series[]>(
    () => [{ values: curve.places, hue: '--vscode-charts-foreground', kind: 'nothing' }],
    [curve],
  );
  const words = useMemo(() => wordsOf(search), [search]);
  const paint = useCallback<Paint>((context, place) => paintBlocks(context, place, map, words), [map, words]);
  const under = hovered !== null && map.blocks.includes(hovered) ? hovered : null;
  const read = under ?? chosen;
  const hover = (block: Block | null): void => {
    if (block !== hovered) {
      setHovered(block);
      viewer.hover(block?.id ?? null);
    }
  };
  return (
    <section class="chart-above memory-curve" aria-label={l10n.t('Allocation map')}>
      <p class="readout" aria-live="polite">
        {read === null
          ? l10n.t('Arrow keys walk from block to block, Enter goes to the line, drag or + and − zoom, Escape resets')
          : blockText(read, viewer.mark)}
      </p>
      {map.unplaced === 0 ? null : (
        <Notice
          kind="partial"
          text={
            map.unplaced === 1
              ? l10n.t('Of 1 buffer it is not known where it lies.')
              : l10n.t('Of {0} buffers it is not known where they lie.', count(map.unplaced))
          }
        />
      )}
      <SeriesChart
        label={l10n.t('Allocation map')}
        axes={axes}
        series={series}
        shown={viewer.shown}
        onShow={viewer.onShow}
        point={null}
        isStepped
        onRead={(point, height) => {
          const position = point === null ? undefined : curve.places[point];
          hover(position === undefined || height === null ? null : blockAt(map, position, height));
        }}
        onPick={() => {
          if (hovered !== null) {
            viewer.pin(hovered.id);
          }
        }}
        onDoublePress={() => {
          if (hovered !== null) {
            viewer.go(hovered.id);
          }
          return hovered !== null;
        }}
        onLeave={viewer.leave}
        onKey={(key) => {
          const direction = directions[key];
          if (direction !== undefined) {
            const to = chosen === null ? (map.blocks[0] ?? null) : neighbourOf(map, chosen, direction);
            if (to !== null) {
              hover(null);
              viewer.pin(to.id);
            }
            return true;
          }
          if (key === 'Enter' && chosen !== null) {
            viewer.go(chosen.id);
            return true;
          }
          return key === 'Home' || key === 'End' || key === 'PageUp' || key === 'PageDown';
        }}
        paint={paint}
        over={(place) => (
          <>
            <Outline kind="chosen" box={outlineOf(chosen, place)} />
            <Outline kind="hovered" box={outlineOf(under, place)} />
          </>
        )}
      />
    </section>
  );
}

function blockText(block: Block, mark: string): string {
  return [
    block.name,
    `${mark}${byteSize(block.bytes)}`,
    categoryName(block.category),
    l10n.t('allocation {0} at {1}', count(block.allocation), byteSize(block.offset_bytes)),
    l10n.t('positions {0}', lifetimeText(block)),
  ].join(' · ');
}

function boxOf(block: Block, place: Place): Box {
  const left_px = place.x_px(block.start);
  const top_px = place.y_px(block.bottom_bytes + block.bytes);
  return {
    left_px,
    top_px,
    width_px: Math.max(1, place.x_px(block.end) - left_px),
    height_px: Math.max(1, place.y_px(block.bottom_bytes) - top_px),
  };
}

/** What outlines a block, from the corner of the area within the axes. */
function outlineOf(block: Block | null, place: Place): Box | null {
  if (block === null) {
    return null;
  }
  const { left_px, top_px, width_px, height_px } = boxOf(block, place);
  return {
    left_px: left_px - place.left_px,
    top_px: top_px - place.top_px,
    width_px: Math.max(3, width_px),
    height_px: Math.max(3, height_px),
  };
}

/** Neighbours of one category are told apart by how strong its hue is, by turns. */
const STRENGTHS = [0.9, 0.65, 0.78, 0.55] as const;

function paintBlocks(
  context: CanvasRenderingContext2D,
  place: Place,
  map: AllocationMap,
  words: readonly string[],
): void {
  const fills = categoryFills(context);
  context.lineWidth = 1;
  context.strokeStyle = themeColour('--surface');
  map.blocks.forEach((block, at) => {
    if (block.end < place.shown.from || block.start > place.shown.to) {
      return;
    }
    const box = boxOf(block, place);
    const { hue, pattern } = fills[block.category];
    const isFound = words.every((word) => block.name.toLowerCase().includes(word));
    const isLarge = box.height_px >= PATTERNED_FROM_PX && box.width_px >= PATTERNED_FROM_PX;
    context.globalAlpha = (STRENGTHS[at % STRENGTHS.length] ?? 1) * (isFound ? 1 : 0.15);
    context.fillStyle = isLarge ? pattern : hue;
    context.fillRect(box.left_px, box.top_px, box.width_px, box.height_px);
    if (isLarge) {
      context.globalAlpha = 1;
      context.strokeRect(box.left_px + 0.5, box.top_px + 0.5, box.width_px - 1, box.height_px - 1);
    }
  });
  context.globalAlpha = 1;
}
