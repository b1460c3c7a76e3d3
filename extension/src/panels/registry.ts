// The panels. A panel is a folder of extension/webview with its view and one line here.

import * as vscode from 'vscode';
import type { PanelId } from './messages';

export interface PanelDescription {
  readonly title: () => string;
  /** A codicon's name, for the editor tab. */
  readonly icon: string;
  /** Also a view of the activity bar, `scopelight.ID` in the manifest. */
  readonly sideBar: boolean;
}

export const panels: Readonly<Record<PanelId, PanelDescription>> = {
  hotLines: { title: () => vscode.l10n.t('Hot Lines'), icon: 'flame', sideBar: true },
};

/** The ids of the registry, in its order. */
export function panelIds(): readonly PanelId[] {
  return Object.keys(panels) as PanelId[];
}

/** Whether a string that came from outside is a panel's id. */
export function isPanelId(id: unknown): id is PanelId {
  return typeof id === 'string' && Object.hasOwn(panels, id);
}

/** The command that opens a panel as an editor tab: `scopelight.openHotLines`. */
export function openCommand(id: PanelId): string {
  return `scopelight.open${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}
