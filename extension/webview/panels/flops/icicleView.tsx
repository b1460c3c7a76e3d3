// The icicle of the tree: hovered and clicked, or walked by arrow keys. What it shows is in the table below as well.

import * as l10n from '@vscode/l10n';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Swatch } from '../../shared/charts/cells';
import { DrawnCanvas } from '../../shared/charts/canvas';
import { share } from '../../shared/text/format';
import { phaseName } from '../../shared/text/phases';
import { useSize } from '../../shared/frame/size';
import { PHASES } from '../../shared/theme';
import { type Cell, cellAt, cellHolding, type Direction, icicle, neighbour } from './icicle';
import { measureText, nodeName, readout } from './measures';
import { cellName, drawIcicle, LEVEL_PX } from './picture';
import { type FlopsNode, measured, type Measure, pathTo, phaseShares } from './tree';

const directions: Readonly<Partial<Record<string, Direction>>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

export interface IcicleProps {
  /** The whole model. */
  readonly whole: FlopsNode;
  /** What is zoomed to: the top of what is drawn. */
  readonly top: FlopsNode;
  readonly measure: Measure;
  readonly selected: FlopsNode | null;
  readonly onSelect: (node: FlopsNode) => void;
  readonly onZoom: (node: FlopsNode) => void;
  /** Goes to the line of a node; false where it has none. */
  readonly onGo: (node: FlopsNode) => boolean;
}

export function IcicleView(props: IcicleProps) {
  const { whole, top, measure, selected } = props;
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const [hovered, setHovered] = useState<Cell | null>(null);
  const width_px = size?.width_px ?? 0;
  const shape = useMemo(() => icicle(top, measure, width_px), [top, measure, width_px]);
  const draw = useCallback((context: CanvasRenderingContext2D) => drawIcicle(context, shape), [shape]);
  const chosen = selected === null ? null : cellHolding(shape, selected, measure);
  // A cell of a former shape is nowhere any more.
  const under = hovered !== null && shape.levels[hovered.level]?.includes(hovered) === true ? hovered : null;

  // What is selected elsewhere, or by a key, comes into sight.
  useEffect(() => {
    const shown = place.current;
    if (chosen !== null && shown !== null) {
      const from_px = chosen.level * LEVEL_PX;
      shown.scrollTop = Math.max(Math.min(shown.scrollTop, from_px), from_px + LEVEL_PX - shown.clientHeight);
    }
  }, [chosen?.node, chosen?.level]);

  const at = (event: MouseEvent): Cell | null => {
    const box = place.current?.getBoundingClientRect();
    return box === undefined
      ? null
      : cellAt(shape, event.clientX - box.left, event.clientY - box.top + (place.current?.scrollTop ?? 0), LEVEL_PX);
  };
  const zoomTo = (node: FlopsNode): void => {
    if (node.children.length > 0) {
      props.onZoom(node);
    }
  };
  const goUp = (): void => {
    if (top.parent !== null) {
      props.onSelect(top.parent);
      props.onZoom(top.parent);
    }
  };
  const onClick = (event: MouseEvent): void => {
    const cell = at(event);
    if (cell === null) {
      return;
    }
    if (cell.nodes > 1) {
      // What is too small here is wider where the scope has the whole width.
      zoomTo(cell.node.parent ?? cell.node);
      return;
    }
    if (cell.node === top) {
      goUp();
      return;
    }
    props.onSelect(cell.node);
    zoomTo(cell.node);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = directions[event.key];
    // Of several that are drawn as one none is left to go from but what is above them.
    const from = chosen === null ? null : chosen.nodes === 1 ? chosen.node : chosen.node.parent;
    if (direction !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const to = from === null ? top : neighbour(shape, from, direction);
      setHovered(null);
      if (to !== null) {
        props.onSelect(to);
      } else if (from === top && direction === 'up') {
        goUp();
      }
    } else if (event.key === 'Enter') {
      const node = selected ?? top;
      if (!props.onGo(node)) {
        zoomTo(node);
      }
    } else if (event.key === ' ') {
      zoomTo(from ?? top);
    } else if (event.key === 'Escape' || event.key === 'Backspace') {
      goUp();
    } else if (event.key === 'Home') {
      props.onSelect(whole);
      props.onZoom(whole);
    } else {
      return;
    }
    event.preventDefault();
  };

  return (
    <section class="icicle" aria-label={l10n.t('Scopes by their part of the whole')}>
      <div class="icicle-head">
        <Path top={top} onZoom={props.onZoom} />
        <p class="readout" aria-live="polite">
          {under === null ? nodeText(selected ?? top, whole, measure) : cellText(under, whole, measure)}
        </p>
      </div>
      <div
        class="icicle-place"
        role="application"
        aria-roledescription={l10n.t('icicle')}
        aria-label={l10n.t('Arrow keys move, Enter goes to the line or zooms in, Escape zooms out')}
        tabIndex={0}
        ref={place}
        onMouseMove={(event) => setHovered(at(event))}
        onMouseLeave={() => setHovered(null)}
        onClick={onClick}
        onDblClick={(event) => {
          const cell = at(event);
          if (cell !== null && cell.nodes === 1) {
            props.onGo(cell.node);
          }
        }}
        onKeyDown={onKeyDown}
      >
        <DrawnCanvas size={{ width_px, height_px: shape.levels.length * LEVEL_PX }} draw={draw} />
        <Mark kind="hovered" cell={under} />
        <Mark kind="chosen" cell={chosen} />
      </div>
      <Legend top={top} measure={measure} />
    </section>
  );
}

function nodeText(node: FlopsNode, whole: FlopsNode, measure: Measure): string {
  return `${nodeName(node)} · ${readout(node, whole, measure)}`;
}

function cellText(cell: Cell, whole: FlopsNode, measure: Measure): string {
  const all = measured(whole, measure);
  return cell.nodes === 1
    ? nodeText(cell.node, whole, measure)
    : [cellName(cell), measureText(cell.amount, measure), share(cell.amount / Math.max(1, all))].join(' · ');
}

/** The frame of a cell. */
function Mark(props: { readonly kind: 'hovered' | 'chosen'; readonly cell: Cell | null }) {
  const { cell } = props;
  return cell === null ? null : (
    <span
      class={`icicle-mark ${props.kind}`}
      aria-hidden="true"
      style={{
        left: `${String(cell.x_px)}px`,
        top: `${String(cell.level * LEVEL_PX)}px`,
        width: `${String(Math.max(2, cell.width_px - 1))}px`,
        height: `${String(LEVEL_PX - 1)}px`,
      }}
    />
  );
}

/** Where zoomed to: the scopes above, each a way back to it. Nothing where all is shown. */
function Path(props: { readonly top: FlopsNode; readonly onZoom: (node: FlopsNode) => void }) {
  const path = pathTo(props.top);
  return props.top.parent === null ? null : (
    <nav class="icicle-path" aria-label={l10n.t('Zoomed to')}>
      {path.map((node, position) => (
        <span key={node.row.key}>
          {position > 0 ? <span class="quiet"> › </span> : null}
          {node === props.top ? (
            <span aria-current="true">{nodeName(node)}</span>
          ) : (
            <button type="button" class="link" onClick={() => props.onZoom(node)}>
              {nodeName(node)}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}

/** The phases of what is shown, with their part of it. */
function Legend(props: { readonly top: FlopsNode; readonly measure: Measure }) {
  const { top, measure } = props;
  const shares = useMemo(() => phaseShares(top, measure), [top, measure]);
  const present = PHASES.filter((phase) => shares[phase] > 0);
  return present.length === 0 ? null : (
    <ul class="legend">
      {present.map((phase) => (
        <li key={phase}>
          <Swatch hue={phase} />
          {phaseName(phase)} <span class="quiet">{share(shares[phase])}</span>
        </li>
      ))}
    </ul>
  );
}
