// What a panel's page and its host say to each other. The page imports these types only.

import type { DaemonState } from '../daemon/connection';
import type { OpenedRun, Panels } from '../protocol';

export type PanelId = keyof Panels;

/** A page in an editor tab, or in the side bar. */
export type PanelPlace = 'editor' | 'sideBar';

/** What is selected, in every panel at once. `line` and `file` are as recorded. */
export interface Selection {
  readonly kind: 'line';
  readonly file: string;
  readonly line: number;
}

/** Commands that a page may run, for the buttons of its states. */
export type PageCommand =
  | 'scopelight.profile'
  | 'scopelight.openProfile'
  | 'scopelight.selectRun'
  | 'scopelight.installDaemon'
  | 'scopelight.restartDaemon'
  | 'scopelight.showLog';

/** What a page must know besides its record; sent whole whenever a part of it changes. */
export interface HostFacts {
  readonly shownRun: OpenedRun | null;
  /** Raised whenever the daemon says which run is shown: records that were fetched before are old then. */
  readonly shownRunGeneration: number;
  /** Raised whenever lines of the shown run have moved in the texts: a record that names places is asked for again. */
  readonly placesGeneration: number;
  readonly daemonState: DaemonState;
  readonly selection: Selection | null;
  /** Whether scripts may be run: the workspace is trusted. */
  readonly trusted: boolean;
}

export type PageMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'request'; readonly id: number; readonly panel: PanelId; readonly params: unknown }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'goToLine'; readonly file: string; readonly line: number }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'run'; readonly command: PageCommand }
  | { readonly type: 'select'; readonly selection: Selection | null };

export type HostMessage =
  | { readonly type: 'facts'; readonly facts: HostFacts }
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | {
      readonly type: 'progress';
      readonly id: number;
      readonly message: string | null;
      readonly percentage: number | null;
    }
  | { readonly type: 'failure'; readonly id: number; readonly message: string }
  | { readonly type: 'cancelled'; readonly id: number };

/** What a page keeps over a reload: `panel` tells the host which panel to restore. */
export interface PageState {
  readonly panel: PanelId;
  readonly values: Readonly<Record<string, unknown>>;
}
