// The ways from a details pane to the same thing in the other panels.

import type { ComponentChildren } from 'preact';
import type { Selection } from '../../../src/panels/messages';
import { usePage } from '../page/page';
import { showInItems } from '../page/showIn';

export function Ways(props: { readonly selection: Selection | null; readonly children?: ComponentChildren }) {
  const page = usePage();
  return (
    <p class="ways">
      {props.children}
      {showInItems(page, props.selection).map((item) => (
        <button key={item.label} type="button" class="link" onClick={item.run}>
          {item.label}
        </button>
      ))}
    </p>
  );
}
