// A phase by its swatch and its name.

import { Swatch } from '../charts/cells';
import { phaseName } from '../text/phases';
import type { Phase } from '../theme';

export function PhaseName(props: { readonly phase: Phase }) {
  return (
    <>
      <Swatch hue={props.phase} />
      {phaseName(props.phase)}
    </>
  );
}
