// One of many: a list that drops down, such as the categories of ops.

import type { ChoiceOption } from './choice';

export function Select<Value extends string>(props: {
  readonly label: string;
  readonly options: readonly ChoiceOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly class?: string;
  /** Why there is nothing to choose; absent where there is. */
  readonly disabled?: string;
}) {
  const { disabled } = props;
  return (
    <label class={`select ${props.class ?? ''}`} title={disabled ?? ''}>
      <span class="quiet">{props.label}</span>
      <select
        value={props.value}
        disabled={disabled !== undefined}
        onChange={({ currentTarget: { selectedIndex } }) => {
          const chosen = props.options[selectedIndex];
          if (chosen !== undefined) {
            props.onChange(chosen.value);
          }
        }}
      >
        {props.options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === props.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
