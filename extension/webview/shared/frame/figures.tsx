// The head of a panel: its few most important figures, each with what it is of or over.

export interface Figure {
  readonly name: string;
  readonly text: string;
  /** What it is of, or over; why it is not known where it is not. */
  readonly of: string;
  /** In full, for the tooltip. */
  readonly exact: string;
}

export function Figures(props: { readonly label: string; readonly figures: readonly Figure[] }) {
  return (
    <section class="head" aria-label={props.label}>
      <dl class="figures">
        {props.figures.map(({ name, text, of, exact }) => (
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
