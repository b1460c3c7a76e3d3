// A page: its panel's id, its host, what it saves, its texts. Components reach it by `usePage`.

import * as l10n from '@vscode/l10n';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PanelId } from '../../../src/panels/registry';
import { HostLink, type HostApi } from './rpc';
import { SavedState } from './state';

export interface Page {
  readonly panel: PanelId;
  /** The profile that the page is of; null is the run that is shown. */
  readonly path: string | null;
  readonly host: HostLink;
  readonly saved: SavedState;
}

const PageContext = createContext<Page | null>(null);

export const PageProvider = PageContext.Provider;

/** The page that a component is on. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) {
    throw new Error('A component of a page was rendered outside of one.');
  }
  return page;
}

/** Makes the page of the element that the host's document holds. */
export function pageOf(element: HTMLElement, api: HostApi): Page {
  const { panel, path = null, texts } = element.dataset;
  l10n.config({ contents: texts ?? '{}' });
  // The document is the host's, which writes only ids of its registry.
  const id = (panel ?? '') as PanelId;
  return { panel: id, path, host: new HostLink(api, window), saved: new SavedState(api, id) };
}
