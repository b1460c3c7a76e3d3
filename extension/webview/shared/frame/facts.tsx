// Names and values, one under the other, in a details pane.

import { exactText, type Quantity, quantityText, UNKNOWN } from '../text/quantities';
import { led } from '../text/basis';

export interface Fact {
  readonly name: string;
  readonly text: string;
  /** The value in full, or what it means. */
  readonly exact?: string;
}

/** A number that may be unknown; `mark` stands before those that are not measured. */
export function quantityFact(name: string, quantity: Quantity, value: number | null, mark = ''): Fact {
  const text = value === null ? UNKNOWN : led(mark, quantityText(quantity, value));
  return { name, text, exact: exactText(quantity, value) };
}

/** A fact that is null is not shown. */
export function Facts(props: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl class="facts-list">
      {props.facts.map((fact) =>
        fact === null ? null : (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd title={fact.exact ?? fact.text}>{fact.text}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
