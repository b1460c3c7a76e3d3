// The head of a panel: its few most important figures, each with what it is of or over.

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { greatest } from '../table/greatest';
import { type Quantity, UNKNOWN } from '../text/quantities';
import { led } from '../text/basis';
import { rowsThatFit } from './figureRows';
import { useSize } from './size';

export interface Figure {
  readonly name: string;
  readonly text: string;
  /** What it is of, or over; why it is not known where it is not. */
  readonly of: string;
  /** In full, for the tooltip. */
  readonly exact: string;
}

/** A quantity that may be unknown, with what more there is to say of it in full. */
export function quantityFigure(
  name: string,
  quantity: Quantity,
  value: number | null,
  of: string,
  { mark = '', meaning = '' }: { readonly mark?: string; readonly meaning?: string } = {},
): Figure {
  const text = value === null ? UNKNOWN : led(mark, quantity.text(value));
  const exact = [value === null ? '' : quantity.exact(value), meaning].filter((part) => part !== '').join('\n');
  return { name, text, of, exact };
}

/** Figures that are null are not shown. */
export function Figures(props: { readonly label: string; readonly figures: readonly (Figure | null)[] }) {
  const figures = props.figures.filter((figure) => figure !== null);
  const list = useRef<HTMLDListElement>(null);
  const rows = useRows(list, figures);
  const firsts = new Set(rows.map((_, row) => rows.slice(0, row).reduce((sum, count) => sum + count, 0)));
  const isColumn = rows.length > 1 && rows.length === figures.length;
  return (
    <section class="head" aria-label={props.label}>
      <dl
        class={isColumn ? 'figures below-one-another' : 'figures'}
        style={{ '--columns': greatest(rows, (row) => row, 1) }}
        ref={list}
      >
        {figures.map(({ name, text, of, exact }, at) => (
          <div
            key={name}
            class={firsts.has(at) ? 'first-of-row' : ''}
            title={[`${name} ${text}`, of, exact].filter((part) => part !== '').join('\n')}
          >
            <dt>{name}</dt>
            <dd>{text}</dd>
            <dd class="quiet">{of}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** How many figures each row has: as many as have room for what they say. */
function useRows(list: RefObject<HTMLDListElement | null>, figures: readonly Figure[]): readonly number[] {
  const [rows, setRows] = useState<readonly number[]>([figures.length]);
  const size = useSize(list);
  const said = figures.map(({ name, text, of }) => [name, text, of].join('\n')).join('\n\n');
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null || element.clientWidth === 0) {
      return;
    }
    // Side by side, each as wide as what it says.
    element.classList.add('measured');
    const widths_px = [...element.children].map((figure) => figure.getBoundingClientRect().width);
    const between_px = parseFloat(getComputedStyle(element).columnGap);
    element.classList.remove('measured');
    const fitting = rowsThatFit(widths_px, element.clientWidth, Number.isNaN(between_px) ? 0 : between_px);
    setRows((before) => (before.join() === fitting.join() ? before : fitting));
  }, [list, said, size]);
  return rows;
}
