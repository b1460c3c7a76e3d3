// A small table of a details pane: names at the left, numbers at the right.

import type { ComponentChildren } from 'preact';

export interface PlainRow {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly cells: readonly { readonly text: string; readonly exact?: string }[];
}

export function PlainTable(props: { readonly titles: readonly string[]; readonly rows: readonly PlainRow[] }) {
  return (
    <table class="plain">
      <thead>
        <tr>
          {props.titles.map((title, position) =>
            title === '' ? (
              <td key={title} />
            ) : (
              <th key={title} class={position === 0 ? '' : 'end'}>
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {props.rows.map(({ key, name, cells }) => (
          <tr key={key}>
            <td>{name}</td>
            {cells.map(({ text, exact }, position) => (
              <td key={position} class="end" title={exact ?? text}>
                {text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
