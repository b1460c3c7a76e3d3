// The start of a report: reads what its document holds and shows the page that its address names.

import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import { render } from 'preact';
import '../shared/theme.css';
import '../shared/hues.css';
import { startAppearance } from './appearance';
import { heldIn } from './held';
import { ReportHost, type ShownLine } from './host';
import { type PlaceId, placeIn, Report } from './report';

/** Icons within controls take the sheet with their signs from a link: here it leads into the document itself. */
function linkSheet(): void {
  const link = document.createElement('link');
  link.id = 'vscode-codicon-stylesheet';
  link.rel = 'stylesheet';
  const sheet = document.querySelector('style')?.textContent ?? '';
  link.href = URL.createObjectURL(new Blob([sheet], { type: 'text/css' }));
  document.head.append(link);
}

async function start(element: HTMLElement): Promise<void> {
  linkSheet();
  startAppearance();
  const held = await heldIn(document);
  l10n.config({ contents: held.texts });
  const place = signal<PlaceId>(placeIn(location.hash));
  const line = signal<ShownLine | null>(null);
  const go = (to: PlaceId): void => {
    location.hash = to;
  };
  window.addEventListener('hashchange', () => (place.value = placeIn(location.hash)));
  const host = new ReportHost(held, {
    toPanel: go,
    toLine: (shown) => {
      line.value = shown;
      go('source');
    },
  });
  const Whole = () => <Report held={held} host={host} place={place} line={line} go={go} />;
  render(<Whole />, element);
}

const element = document.getElementById('page');
if (element !== null) {
  start(element).catch((error: unknown) => {
    // Before a text could be read in any other language.
    element.textContent =
      'DecompressionStream' in window
        ? `This report cannot be read: ${String(error)}`
        : 'This report needs a newer browser: Chrome 111, Firefox 113, Safari 16.4 or later.';
    throw error;
  });
}
