// Sentences on how figures are to be read, below them.

import { Icon } from './elements';
import { Prose } from './prose';

export function RowNotes(props: { readonly notes: readonly string[] }) {
  return (
    <>
      {props.notes.map((note) => (
        <p key={note} class="row-note">
          <Icon name="info" /> <Prose text={note} />
        </p>
      ))}
    </>
  );
}
