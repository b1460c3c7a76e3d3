// What a panel's page and its host say to each other.

import type { DaemonState, ProgressReport } from '../daemon/connection';
import type { ComparedWith, Details, ExportTimeline, OpenedRun, Scope, ViewId } from '../protocol';
import type { OpenCommand } from './panelList';
import type { PanelId } from './registry';

/** What a page may ask for beside its record. */
export type DetailsId = keyof Details;

/** A page in an editor tab, or in the side bar. */
export type PanelPlace = 'editor' | 'sideBar';

/** A line of source. `line` and `file` are as recorded. */
export interface LineSelection {
  readonly kind: 'line';
  readonly file: string;
  readonly line: number;
}

/** An op, by the key of its `OpRow`, and the line that took most of its time, where that is known. */
export interface OpSelection {
  readonly kind: 'op';
  readonly key: string;
  readonly file: string | null;
  readonly line: number | null;
}

/** A group of ops: those of a category, a program or a scope, which is a path of levels with `/` between. */
export interface GroupSelection {
  readonly kind: 'category' | 'program' | 'scope';
  readonly name: string;
  readonly file: null;
  readonly line: null;
}

/** A part of the profile's time, such as a step; it counts from the profile's first event. */
export interface TimeSelection {
  readonly kind: 'time';
  readonly start_ps: number;
  readonly end_ps: number;
  readonly file: null;
  readonly line: null;
}

/** What is selected, in every panel at once. */
export type Selection = LineSelection | OpSelection | GroupSelection | TimeSelection;

/**
 * A part of a timeline to be written to a file; null is all of its time, all of its tracks, and as its path that of the
 * run that is shown.
 */
export type TimelineExport = Required<Omit<ExportTimeline, 'output' | 'workDoneToken'>>;

/** Commands that a page may run beside those that open panels, for the buttons of its states. */
export const PAGE_COMMANDS = [
  'scopelight.profile',
  'scopelight.openProfile',
  'scopelight.selectRun',
  'scopelight.selectScope',
  'scopelight.setPeaks',
  'scopelight.setTarget',
  'scopelight.setResourcesPeriod',
  'scopelight.besidePrediction',
  'scopelight.compareWith',
  'scopelight.profileAgainAndCompare',
  'scopelight.stopComparing',
  'scopelight.installDaemon',
  'scopelight.installQueries',
  'scopelight.restartDaemon',
  'scopelight.showLog',
] as const;

export type PageCommand = (typeof PAGE_COMMANDS)[number] | OpenCommand;

/** Commands that a page may run with a part of its timeline. */
export const EXPORT_COMMANDS = ['scopelight.exportTimeline', 'scopelight.openInPerfetto'] as const;

export type ExportCommand = (typeof EXPORT_COMMANDS)[number];

/** What a page must know besides its record; sent whole whenever a part of it changes. */
export interface HostFacts {
  readonly shownRun: OpenedRun | null;
  /** Raised whenever the daemon says which run is shown: records that were fetched before are old then. */
  readonly shownRunGeneration: number;
  /** With what the shown run is compared; null where it is with nothing. */
  readonly comparison: ComparedWith | null;
  /** Raised whenever the comparison is chosen, also anew: what was asked of it before is old then. */
  readonly comparisonGeneration: number;
  /** The run that was captured last in this window: what was searched and sorted before was of another. */
  readonly capturedRun: string | null;
  /** Raised whenever lines of the shown run have moved in the texts: a record that names places is asked for again. */
  readonly placesGeneration: number;
  /** Raised whenever settings made the records of ops others: those that depend on settings are asked for again. */
  readonly recordsGeneration: number;
  /** Of a page of a file: raised whenever that file has changed. */
  readonly fileGeneration: number;
  /** Of a page of a file: whether there is none of that name any more. */
  readonly isFileGone: boolean;
  readonly daemonState: DaemonState;
  readonly selection: Selection | null;
  /** Raised whenever a panel was opened to show the selection, so that it is shown again where it did not change. */
  readonly selectionGeneration: number;
  /** What of the run is looked at, as the user's settings have it. */
  readonly scope: Scope;
  /** Queries that were asked in the workspace, the latest first. */
  readonly queries: readonly string[];
  /** Whether scripts may be run: the workspace is trusted. */
  readonly trusted: boolean;
  /** Whether the page is in a report: there is no editor, and nothing but what the report holds. */
  readonly isReport: boolean;
}

export type PageMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'request'; readonly id: number; readonly view: ViewId; readonly params: unknown }
  | { readonly type: 'details'; readonly id: number; readonly details: DetailsId; readonly params: unknown }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'goToLine'; readonly file: string; readonly line: number }
  | {
      /** Opens the copy that a run of the comparison keeps of a file. */
      readonly type: 'openRecorded';
      readonly run: string;
      readonly file: string;
      readonly line: number;
    }
  | {
      /** Opens the recorded texts of both sides of the comparison, one against the other. */
      readonly type: 'showSourceChanges';
      readonly before: { readonly file: string; readonly line: number } | null;
      readonly after: { readonly file: string; readonly line: number } | null;
    }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'keepQuery'; readonly query: string }
  | { readonly type: 'run'; readonly command: PageCommand }
  | { readonly type: 'chooseScope'; readonly scope: Scope }
  | { readonly type: 'select'; readonly selection: Selection | null }
  | { readonly type: 'exportTimeline'; readonly command: ExportCommand; readonly part: TimelineExport }
  | { readonly type: 'showIn'; readonly panel: PanelId; readonly selection: Selection };

export type HostMessage =
  | {
      readonly type: 'facts';
      readonly facts: HostFacts;
      /** How many selections of the page the host has heard of: after more of its own the facts' selection is old. */
      readonly heardSelections: number;
    }
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | { readonly type: 'progress'; readonly id: number; readonly progress: ProgressReport }
  | { readonly type: 'failure'; readonly id: number; readonly message: string }
  | { readonly type: 'cancelled'; readonly id: number };

/** What a page keeps over a reload: `panel` tells the host which panel to restore. */
export interface PageState {
  readonly panel: PanelId;
  readonly values: Readonly<Record<string, unknown>>;
}
