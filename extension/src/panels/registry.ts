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
  opProfile: { title: () => vscode.l10n.t('Op Profile'), icon: 'list-tree', sideBar: false },
  opStatistics: { title: () => vscode.l10n.t('Op Statistics'), icon: 'pie-chart', sideBar: false },
  flops: { title: () => vscode.l10n.t('FLOPs'), icon: 'layers', sideBar: false },
  roofline: { title: () => vscode.l10n.t('Roofline'), icon: 'graph-line', sideBar: false },
  timeline: { title: () => vscode.l10n.t('Timeline'), icon: 'watch', sideBar: false },
  memoryViewer: { title: () => vscode.l10n.t('Memory Viewer'), icon: 'chip', sideBar: false },
  memoryProfile: { title: () => vscode.l10n.t('Memory Profile'), icon: 'pulse', sideBar: false },
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
