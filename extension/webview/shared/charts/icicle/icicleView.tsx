// A tree as an icicle, or upside down as a flame graph: hovered and clicked, or walked by arrow keys. What it shows must
// be in a table as well.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useSize } from '../../frame/size';
import { type Branch, pathTo } from '../../table/tree';
import { share } from '../../text/format';
import type { Box } from '../box';
import { besidePointer, FROM_POINTER_PX } from '../besidePointer';
import { DrawnCanvas, Outline } from '../canvas';
import { cellName, drawIcicle, LEVEL_PX, type Look } from './drawing';
import {
  type AmountOf,
  type Cell,
  cellAt,
  cellHolding,
  type Direction,
  icicle,
  neighbour,
  type SiblingOrder,
} from './geometry';
import './icicle.css';

interface IcicleNode<Node> extends Branch<Node> {
  readonly key: string;
}

/** Functions are the same as long as the picture is the same. */
export interface IcicleProps<Node> extends Look<Node> {
  /** What is divided, for assistive technology. */
  readonly label: string;
  /** The root of the tree, which `Home` goes to. */
  readonly whole: Node;
  /** What is zoomed to: the root of what is drawn. */
  readonly top: Node;
  /** Where the levels below the top are drawn. */
  readonly grows: 'down' | 'up';
  readonly order?: SiblingOrder;
  readonly amountOf: AmountOf<Node>;
  readonly amountText: (amount: number) => string;
  /** A node in one line, without its name. */
  readonly readout: (node: Node) => string;
  readonly selected: Node | null;
  readonly onSelect: (node: Node) => void;
  readonly onZoom: (node: Node) => void;
  /** What is told of a node beside the pointer. */
  readonly card?: (node: Node) => ComponentChildren;
  /** Goes to the line of a node; false where it has none. */
  readonly onGo: (node: Node) => boolean;
  /** What the colours mean, below the picture. */
  readonly children?: ComponentChildren;
}

export function IcicleView<Node extends IcicleNode<Node>>(props: IcicleProps<Node>) {
  const { whole, top, grows, order, amountOf, selected, nameOf, labelOf, phaseOf, sharesOf, tintOf, isFound } = props;
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const [hovered, setHovered] = useState<Cell<Node> | null>(null);
  const [pointer, setPointer] = useState({ x_px: 0, y_px: 0 });
  const clicked = useRef<{ readonly node: Node; readonly x_px: number; readonly y_px: number } | null>(null);
  const width_px = size?.width_px ?? 0;
  const shape = useMemo(() => icicle(top, amountOf, width_px, order), [top, amountOf, width_px, order]);
  const levels = shape.levels.length;
  const rowOf = (level: number): number => (grows === 'down' ? level : levels - 1 - level);
  const draw = useCallback(
    (context: CanvasRenderingContext2D) =>
      drawIcicle(
        context,
        shape,
        { nameOf, labelOf, phaseOf, sharesOf, tintOf, isFound },
        (level) => rowOf(level) * LEVEL_PX,
      ),
    [shape, grows, nameOf, labelOf, phaseOf, sharesOf, tintOf, isFound],
  );
  const chosen = selected === null ? null : cellHolding(shape, selected, amountOf);
  // A cell of a former shape is nowhere any more.
  const under = hovered !== null && shape.levels[hovered.level]?.includes(hovered) === true ? hovered : null;

  // What is selected elsewhere, or by a key, comes into sight; of a flame graph first its root.
  const inSight = chosen?.level ?? (grows === 'up' && levels > 0 ? 0 : null);
  useEffect(() => {
    const shown = place.current;
    if (inSight !== null && shown !== null) {
      const from_px = rowOf(inSight) * LEVEL_PX;
      shown.scrollTop = Math.max(Math.min(shown.scrollTop, from_px), from_px + LEVEL_PX - shown.clientHeight);
    }
  }, [chosen?.node, inSight, grows, levels]);

  const at = (event: MouseEvent): Cell<Node> | null => {
    const box = place.current?.getBoundingClientRect();
    if (box === undefined) {
      return null;
    }
    const y_px = event.clientY - box.top + (place.current?.scrollTop ?? 0);
    return cellAt(shape, event.clientX - box.left, rowOf(Math.floor(y_px / LEVEL_PX)));
  };
  const zoomTo = (node: Node): void => {
    if (node.children.length > 0) {
      props.onZoom(node);
    }
  };
  const zoomOut = (): void => {
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
      // What is too small here is wider where the node above has the whole width.
      zoomTo(cell.node.parent ?? cell.node);
      return;
    }
    if (cell.node === top) {
      zoomOut();
      return;
    }
    clicked.current = { node: cell.node, x_px: event.clientX, y_px: event.clientY };
    props.onSelect(cell.node);
    zoomTo(cell.node);
  };
  const goTo = useRef(props.onGo);
  goTo.current = props.onGo;
  // The first click of two may zoom, and something else is under the second: both are of what the first one was on.
  useEffect(() => {
    const second = (event: MouseEvent): void => {
      const first = clicked.current;
      const isSecond =
        first !== null &&
        event.detail === 2 &&
        Math.hypot(event.clientX - first.x_px, event.clientY - first.y_px) <= FROM_POINTER_PX;
      if (isSecond) {
        event.stopPropagation();
        event.preventDefault();
        if (event.type === 'dblclick') {
          goTo.current(first.node);
        }
      }
    };
    const types = ['mousedown', 'click', 'dblclick'] as const;
    types.forEach((type) => document.addEventListener(type, second, true));
    return () => types.forEach((type) => document.removeEventListener(type, second, true));
  }, []);
  const directions: Readonly<Partial<Record<string, Direction>>> = {
    ArrowLeft: 'left',
    ArrowRight: 'right',
    ArrowUp: grows === 'down' ? 'above' : 'below',
    ArrowDown: grows === 'down' ? 'below' : 'above',
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = directions[event.key];
    // Of several that are drawn as one, the one to go from is that above them.
    const from = chosen === null ? null : chosen.nodes === 1 ? chosen.node : chosen.node.parent;
    if (direction !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const to = from === null ? top : neighbour(shape, from, direction);
      setHovered(null);
      if (to !== null) {
        props.onSelect(to);
      } else if (from === top && direction === 'above') {
        zoomOut();
      }
    } else if (event.key === 'Enter') {
      const node = selected ?? top;
      if (!props.onGo(node)) {
        zoomTo(node);
      }
    } else if (event.key === ' ') {
      zoomTo(from ?? top);
    } else if (event.key === 'Escape' || event.key === 'Backspace') {
      zoomOut();
    } else if (event.key === 'Home') {
      props.onSelect(whole);
      props.onZoom(whole);
    } else {
      return;
    }
    event.preventDefault();
  };
  const boxOf = (cell: Cell<Node> | null): Box | null =>
    cell === null
      ? null
      : {
          left_px: cell.x_px,
          top_px: rowOf(cell.level) * LEVEL_PX,
          width_px: Math.max(2, cell.width_px - 1),
          height_px: LEVEL_PX - 1,
        };
  const nodeText = (node: Node): string => `${nameOf(node)} · ${props.readout(node)}`;
  const restText = (cell: Cell<Node>): string =>
    [
      cellName(cell, nameOf),
      props.amountText(cell.amount),
      share(cell.amount / Math.max(Number.MIN_VALUE, amountOf(whole))),
    ].join(' · ');

  return (
    <section class="icicle" aria-label={props.label}>
      <div class="icicle-head">
        <Path top={top} nameOf={nameOf} onZoom={props.onZoom} />
        <p class="readout" aria-live="polite">
          {under === null ? nodeText(selected ?? top) : under.nodes === 1 ? nodeText(under.node) : restText(under)}
        </p>
      </div>
      <div
        class="icicle-place"
        role="application"
        aria-roledescription={grows === 'down' ? l10n.t('icicle') : l10n.t('flame graph')}
        aria-label={l10n.t('Arrow keys move, Enter goes to the line or zooms in, Escape zooms out')}
        tabIndex={0}
        ref={place}
        onMouseMove={(event) => {
          setHovered(at(event));
          setPointer({ x_px: event.clientX, y_px: event.clientY });
        }}
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
        <DrawnCanvas size={{ width_px, height_px: levels * LEVEL_PX }} draw={draw} />
        <Outline kind="hovered" box={boxOf(under)} />
        <Outline kind="chosen" box={boxOf(chosen)} />
      </div>
      {props.card === undefined || under === null || under.nodes > 1 ? null : (
        <div class="icicle-card pointer-card" aria-hidden="true" style={besidePointer(pointer)}>
          {props.card(under.node)}
        </div>
      )}
      {props.children}
    </section>
  );
}

/** Where zoomed to: the nodes above, each a way back to it. Nothing where all is shown. */
function Path<Node extends IcicleNode<Node>>(props: Pick<IcicleProps<Node>, 'top' | 'nameOf' | 'onZoom'>) {
  const { top, nameOf, onZoom } = props;
  return top.parent === null ? null : (
    <nav class="icicle-path ellipsis" aria-label={l10n.t('Zoomed to')}>
      {pathTo(top).map((node, position) => (
        <span key={node.key}>
          {position > 0 ? <span class="quiet"> › </span> : null}
          {node === top ? (
            <span aria-current="true">{nameOf(node)}</span>
          ) : (
            <button type="button" class="link" onClick={() => onZoom(node)}>
              {nameOf(node)}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}
