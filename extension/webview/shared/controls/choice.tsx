// One of a few: a row of buttons of which one is on, such as Lines | Functions.

import { useRef } from 'preact/hooks';

export interface ChoiceOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export function Choice<Value extends string>(props: {
  readonly label: string;
  readonly options: readonly ChoiceOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const group = useRef<HTMLDivElement>(null);
  const move = (by: number): void => {
    const at = props.options.findIndex((option) => option.value === props.value);
    const next = (at + by + props.options.length) % props.options.length;
    const option = props.options[next];
    if (option !== undefined) {
      props.onChange(option.value);
      group.current?.querySelectorAll('button')[next]?.focus();
    }
  };
  return (
    <div
      class="choice"
      role="radiogroup"
      aria-label={props.label}
      ref={group}
      onKeyDown={(event) => {
        const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (by !== undefined) {
          event.preventDefault();
          move(by);
        }
      }}
    >
      {props.options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === props.value}
          tabIndex={option.value === props.value ? 0 : -1}
          onClick={() => props.onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
