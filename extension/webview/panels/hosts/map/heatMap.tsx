// The map of cores: pointed at, or walked by arrow keys. What it shows is in a table as well.

import * as l10n from '@vscode/l10n';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import type { Box } from '../../../shared/charts/box';
import { DrawnCanvas, Outline } from '../../../shared/charts/canvas';
import { wordWidth } from '../../../shared/charts/text';
import { useSize } from '../../../shared/frame/size';
import { greatest } from '../../../shared/table/greatest';
import { duration } from '../../../shared/text/format';
import { type DrawnLink, LinkArrow } from './arrow';
import { cellAfter, cellAt, geometryOf } from './geometry';
import { drawHeat, hasLabels } from './heatDrawing';
import { amountOf, type CoreItem, type CoreQuantity, quantityName } from '../items';
import type { CoreCell, CoreGrid } from '../places';
import { extentOf, LEAST_SHADE, MOST_SHADE, MOST_SHADE_BELOW_TEXT } from './shades';

const MARGIN_PX = 28;
const WIDEST_MARGIN_PX = 136;
const SWATCHES = 7;

export function HeatMap(props: {
  readonly grid: CoreGrid;
  readonly quantity: CoreQuantity;
  readonly selected: CoreItem | null;
  readonly link: DrawnLink | null;
  /** A cell in one line. */
  readonly textOf: (cell: CoreCell) => string;
  readonly onSelect: (item: CoreItem) => void;
  readonly onOpen: (item: CoreItem) => void;
  /** What the axes are. */
  readonly axes: string;
}) {
  const { grid, quantity, selected, link, textOf } = props;
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const [hovered, setHovered] = useState(-1);
  /** The cell that has been walked to, of an item of several. */
  const [walked, setWalked] = useState(-1);
  const room_px = size?.width_px ?? 0;
  const margin_px = useMemo(
    () =>
      grid.isOfHosts
        ? 1
        : Math.min(WIDEST_MARGIN_PX, MARGIN_PX + Math.max(0, greatest(grid.rowNames, wordWidth) - MARGIN_PX + 8)),
    [grid],
  );
  const geometry = useMemo(() => geometryOf(grid, room_px, margin_px), [grid, room_px, margin_px]);
  const values = useMemo(() => grid.cells.map(({ item }) => amountOf(item, quantity)), [grid, quantity]);
  const extent = useMemo(() => extentOf(values), [values]);
  const mostShade = hasLabels(grid, geometry) ? MOST_SHADE_BELOW_TEXT : MOST_SHADE;
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => drawHeat(context, grid, geometry, values, extent, mostShade),
    [grid, geometry, values, extent, mostShade],
  );
  const isSelected = ({ item }: CoreCell): boolean => item.key === selected?.key;
  const walkedCell = grid.cells[walked];
  const chosen =
    walkedCell !== undefined && isSelected(walkedCell) ? walked : grid.cells.findIndex((cell) => isSelected(cell));
  const under = hovered < grid.cells.length ? hovered : -1;
  const read = grid.cells[under === -1 ? chosen : under];
  const pointed = (event: MouseEvent): number => {
    const box = place.current?.getBoundingClientRect();
    return box === undefined
      ? -1
      : cellAt(
          geometry,
          event.clientX - box.left + (place.current?.scrollLeft ?? 0),
          event.clientY - box.top + (place.current?.scrollTop ?? 0),
        );
  };
  const select = (at: number): void => {
    const cell = grid.cells[at];
    if (cell !== undefined) {
      setWalked(at);
      props.onSelect(cell.item);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const to = cellAfter(geometry, chosen, event.key);
    if (to !== null) {
      setHovered(-1);
      select(to);
    } else if (event.key === 'Enter' && selected !== null) {
      props.onOpen(selected);
    } else {
      return;
    }
    event.preventDefault();
  };
  const boxOf = (at: number): Box | null => geometry.boxes[at] ?? null;
  return (
    <>
      <p class="readout" aria-live="polite">
        {read === undefined
          ? l10n.t('Point or use arrow keys to read a cell, Enter goes to the line of its host')
          : textOf(read)}
      </p>
      <div
        class="heat-place"
        role="application"
        aria-roledescription={l10n.t('heat map')}
        aria-label={l10n.t('Cores by {0}', quantityName(quantity))}
        tabIndex={0}
        ref={place}
        {...(under === -1 || read === undefined ? {} : { title: textOf(read).replaceAll(' · ', '\n') })}
        onMouseMove={(event) => setHovered(pointed(event))}
        onMouseLeave={() => setHovered(-1)}
        onClick={(event) => select(pointed(event))}
        onDblClick={(event) => {
          const cell = grid.cells[pointed(event)];
          if (cell !== undefined) {
            props.onOpen(cell.item);
          }
        }}
        onKeyDown={onKeyDown}
      >
        <DrawnCanvas size={geometry} draw={draw} />
        {link === null ? null : <LinkArrow grid={grid} geometry={geometry} link={link} />}
        <Outline kind="hovered" box={under === chosen ? null : boxOf(under)} />
        {grid.cells.map((cell, at) =>
          at === chosen || (isSelected(cell) && grid.cells.length <= 1000) ? (
            <Outline key={at} kind={at === chosen ? 'chosen' : 'hovered'} box={boxOf(at)} />
          ) : null,
        )}
      </div>
      <p class="heat-scale">
        {extent === null ? (
          <span class="quiet">{l10n.t('{0}: not known', quantityName(quantity))}</span>
        ) : (
          <>
            <span>{l10n.t('least {0}', duration(extent.least))}</span>
            <span class="shades" aria-hidden="true">
              {Array.from({ length: SWATCHES }, (_, at) => (
                <span key={at} style={{ opacity: LEAST_SHADE + ((mostShade - LEAST_SHADE) * at) / (SWATCHES - 1) }} />
              ))}
            </span>
            <span>{l10n.t('most {0}', duration(extent.most))}</span>
          </>
        )}
        <span class="quiet">{props.axes}</span>
      </p>
    </>
  );
}
