// What there is to ask of all panels at once. Their host and their pages ask it.

import { type OpenedRun, type ViewId, views } from '../protocol';
import type { PanelManifest } from './manifest';
import type { Selection } from './messages';
import { type PanelId, panels } from './registry';

/** The ids of all panels, in the order of menus. */
export const panelIds = Object.keys(panels) as readonly PanelId[];

/** Whether a string that came from outside is a panel's id. */
export function isPanelId(id: unknown): id is PanelId {
  return typeof id === 'string' && Object.hasOwn(panels, id);
}

export type OpenCommand = `scopelight.open${Capitalize<PanelId>}`;

/** The command that opens a panel as an editor tab: `scopelight.openHotLines`. */
export function openCommand(id: PanelId): OpenCommand {
  return `scopelight.open${id.charAt(0).toUpperCase()}${id.slice(1)}` as OpenCommand;
}

/** The panel that a command opens; undefined for other commands. */
export function panelOpenedBy(command: string): PanelId | undefined {
  return panelIds.find((id) => openCommand(id) === command);
}

/** Views that have no panel of their own, and the panel that shows what they tell of. */
const SHOWN_IN: Readonly<Partial<Record<string, PanelId>>> = { fit: 'memoryViewer' };

/** The panel that shows a view, or what the view tells of; undefined where none does. */
export function panelOf(view: unknown): PanelId | undefined {
  return panelIds.find((id) => panels[id].view === view) ?? (typeof view === 'string' ? SHOWN_IN[view] : undefined);
}

/** The command, not for people, that opens a panel beside the text and leaves the keyboard there; its argument is the id. */
export const OPEN_BESIDE = 'scopelight.openPanelBeside';

/** The panels that have something of a run and can show a selection in it. */
export function panelsFor(selection: Selection, run: OpenedRun | null): readonly PanelId[] {
  return panelIds.filter((id) => {
    const { view, selections, needsLine }: PanelManifest = panels[id];
    return (
      selections.includes(selection.kind) &&
      (needsLine !== true || selection.file !== null) &&
      (run === null || hasSomethingFor(run, view))
    );
  });
}

/** The panels that have nothing of a run. */
export function panelsWithout(run: OpenedRun): readonly PanelId[] {
  return panelIds.filter((id) => !hasSomethingFor(run, panels[id].view));
}

function hasSomethingFor(run: OpenedRun, view: ViewId): boolean {
  return views[view].needs.some((need) => run.has.includes(need));
}

/** The panels that have something of a run without times; none of a run with times. */
export function panelsWithoutTimes(run: OpenedRun): readonly PanelId[] {
  const hasTimes = !run.never_ran && !run.memory_alone;
  return hasTimes ? [] : panelIds.filter((id) => (panels[id] as PanelManifest).hasSomethingWithoutTimes?.(run));
}
