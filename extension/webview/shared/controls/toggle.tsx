// A button that is on or off, such as Exclude Idle.

export function Toggle(props: {
  readonly label: string;
  /** What it does, for its tooltip. */
  readonly meaning?: string;
  readonly pressed: boolean;
  readonly onChange: (pressed: boolean) => void;
}) {
  return (
    <button
      type="button"
      class="toggle"
      aria-pressed={props.pressed}
      title={props.meaning ?? props.label}
      onClick={() => props.onChange(!props.pressed)}
    >
      {props.label}
    </button>
  );
}
