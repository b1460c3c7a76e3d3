// The start of every page: `mount(<HotLines />)`.

import { type ComponentChildren, render } from 'preact';
import '../theme.css';
import '../hues.css';
import { PageProvider, pageOf } from './page';

/** Renders a panel into the document that its host made, and tells the host. */
export function mount(panel: ComponentChildren): void {
  const element = document.getElementById('page');
  if (element === null) {
    throw new Error('This document was not made by the panel host.');
  }
  const page = pageOf(element, acquireVsCodeApi());
  render(<PageProvider value={page}>{panel}</PageProvider>, element);
  page.host.start();
}
