// Sentences on how figures are to be read, below them.

import { Icon } from '../controls/elements';
import { Prose } from '../text/prose';

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
