// Names and values, one under the other, in a details pane.

export interface Fact {
  readonly name: string;
  readonly text: string;
  /** The value in full, or what it means. */
  readonly exact?: string;
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
