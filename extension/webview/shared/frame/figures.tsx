// The head of a panel: its few most important figures, each with what it is of or over.

import { type Quantity, UNKNOWN } from '../text/quantities';

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
  const text = value === null ? UNKNOWN : `${mark}${quantity.text(value)}`;
  const exact = [value === null ? '' : quantity.exact(value), meaning].filter((part) => part !== '').join('\n');
  return { name, text, of, exact };
}

/** Figures that are null are not shown. */
export function Figures(props: { readonly label: string; readonly figures: readonly (Figure | null)[] }) {
  return (
    <section class="head" aria-label={props.label}>
      <dl class="figures">
        {props.figures
          .filter((figure) => figure !== null)
          .map(({ name, text, of, exact }) => (
            <div key={name} title={[`${name} ${text}`, of, exact].filter((part) => part !== '').join('\n')}>
              <dt>{name}</dt>
              <dd>{text}</dd>
              <dd class="quiet">{of}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
