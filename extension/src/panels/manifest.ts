// What a panel says of itself, in the `panel.ts` of its folder. Whatever lists panels is made from it.

import type { OpenedRun, ViewId } from '../protocol';
import type { Selection } from './messages';

/** Files that open as a panel. */
export interface FileEditor {
  /** The custom editor's id in the manifest of the extension. */
  readonly viewType: string;
  readonly patterns: readonly string[];
  /** An `option` is offered under *Reopen Editor With*: for names that are of other tools too. */
  readonly priority: 'default' | 'option';
  readonly displayName: string;
  /** Whether the profile becomes the run that is shown, so that its lines are annotated. */
  readonly showsRun: boolean;
}

export interface PanelManifest<View extends ViewId = ViewId> {
  /** The view that the panel shows the record of. */
  readonly view: View;
  readonly title: () => string;
  /** Codicons of the tab, and of the command that opens it where that has another. */
  readonly icon: string;
  readonly commandIcon?: string;
  /** Its place among the panels in menus; no two have the same. */
  readonly order: number;
  /** Whether it is also a view of the side bar. */
  readonly isInSideBar?: boolean;
  /** Whether a report of one run has nothing to show in it. */
  readonly isMissingInReports?: boolean;
  /** Whether it is in the menu of Python files, and opens at the line of the cursor. */
  readonly isInTextMenu?: boolean;
  /** The kinds of selections that *Show in …* offers it for; of ops those with a line only, where it `needsLine`. */
  readonly selections: readonly Selection['kind'][];
  readonly needsLine?: boolean;
  /** Whether an empty panel leads to this one in a run without times, since it has something of it. */
  readonly hasSomethingWithoutTimes?: (run: OpenedRun) => boolean;
  /** What else its record depends on: settings (peaks, the target, what is looked at), or where lines are in the present texts. */
  readonly dependsOn: readonly ('settings' | 'places')[];
  readonly fileEditor?: FileEditor;
}
