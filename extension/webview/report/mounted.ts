// The pages of the panels, which in a report are mounted where a reader goes, and not as they are read.

import type { ComponentChildren } from 'preact';
import type { PanelId } from '../../src/panels/registry';

const pages = new Map<PanelId, ComponentChildren>();

/** What `mount` of a panel's page does in a report: extension/scripts/build_report.mjs leads it here. */
export function keepPage(panel: PanelId, content: ComponentChildren): void {
  pages.set(panel, content);
}

export function contentOf(panel: PanelId): ComponentChildren {
  return pages.get(panel);
}
