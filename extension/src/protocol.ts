// Generated from daemon/scopelight/protocol.py by extension/scripts/generate_protocol.py: do not edit.
// Keys are the names of the daemon's fields. Times are picoseconds, lines are 1-based, ids are strings.

export const PROTOCOL_VERSION = 1;

export type AnnotationMode = 'time' | 'phases';

/** Section ``scopelight`` of the client's settings, as far as the daemon heeds it. */
export interface Settings {
  readonly annotations: boolean;
  readonly mode: AnnotationMode;
  readonly threshold_ratio: number;
  readonly most_lines: number;
  readonly inclusive_ratio: number;
  readonly code_lenses: boolean;
  readonly inlay_hints: boolean;
}

/** What a client may say when it starts the daemon; a client that says nothing gets the defaults. */
export interface InitializationOptions {
  readonly protocol_version: number | null;
  readonly annotations: boolean;
  readonly command_links: boolean;
  readonly settings: Settings;
}

/** No parameters, or no result. */
export type Nothing = Readonly<Record<string, never>>;

/** One captured run. ``problem`` says why a run cannot be read; its other fields are then unknown. */
export interface RunRecord {
  readonly path: string;
  readonly created: string | null;
  readonly script: string | null;
  readonly args: readonly string[];
  readonly cwd: string | null;
  readonly is_module: boolean;
  readonly state: string | null;
  readonly failure: string | null;
  readonly pid: number | null;
  readonly backend: string | null;
  readonly devices: number | null;
  readonly steps: number | null;
  readonly exit_code: number | null;
  readonly size_bytes: number;
  readonly pinned: boolean;
  readonly problem: string | null;
}

/** The runs of all workspace folders, newest first. */
export interface Runs {
  readonly runs: readonly RunRecord[];
}

/** Open a path and make it the run that is shown. Progress and cancellation as the protocol has them. */
export interface OpenRun {
  readonly path: string;
  readonly workDoneToken: string | number | null;
}

/** The line with the greatest self time: where it is now, and its share of the op time. */
export interface HottestLine {
  readonly file: string | null;
  readonly path: string | null;
  readonly line: number;
  readonly share_ratio: number;
}

/** The run that is shown. Sentences are ready to be read by a person. */
export interface OpenedRun {
  readonly path: string;
  readonly title: string;
  readonly headline: string;
  readonly short: string;
  readonly summary: string;
  readonly busy_ratio: number | null;
  readonly hottest: HottestLine | null;
  readonly lines: number;
  readonly files: readonly string[];
  readonly reason: string | null;
  readonly remedy: string | null;
  readonly warnings: readonly string[];
}

/** Pin a run, so that retention never deletes it, or unpin it. */
export interface PinRun {
  readonly path: string;
  readonly pinned: boolean;
}

/** Asks to be told when a capture's profile can be opened; progress is reported meanwhile. */
export interface FollowCapture {
  readonly path: string;
  readonly workDoneToken: string | number | null;
}

export type CaptureStage = 'starting' | 'compiling' | 'measuring' | 'capturing' | 'captured' | 'failed';

/** How the capture ended; ``failure`` is a sentence for the user. */
export interface FollowedCapture {
  readonly path: string;
  readonly stage: CaptureStage;
  readonly failure: string | null;
}

/** Asks where a line of the run that is shown is in the present text. */
export interface LocateLine {
  readonly file: string;
  readonly line: number;
}

export type PlaceState = 'current' | 'stale' | 'gone';

/** ``file`` and ``line`` are of the present text; the nearest line that is left where the state is ``gone``. */
export interface LocatedLine {
  readonly file: string;
  readonly line: number;
  readonly state: PlaceState;
}

/** Asks for one line of the run that is shown as Markdown; without a line for the table of all hot lines. */
export interface CopyLine {
  readonly file: string | null;
  readonly line: number | null;
}

/** Text for the clipboard. */
export interface Markdown {
  readonly text: string;
}

/** What a report of a fault needs: versions, paths, the state of the daemon; one line each. */
export interface DebugInformation {
  readonly text: string;
}

/** The panel Hot Lines has no options that the daemon must know. */
export type HotLinesOptions = Readonly<Record<string, never>>;

/** A device that ran ops, and the self time of all of them. */
export interface DeviceRecord {
  readonly name: string;
  readonly kind: string;
  readonly host: number;
  readonly ordinal: number;
  readonly op_time_ps: number;
}

/** One complete step; ``start_ps`` counts from the profile's first event. */
export interface StepRecord {
  readonly start_ps: number;
  readonly duration_ps: number;
}

/** Durations of the complete steps, and the split of their wall clock, per step and averaged over devices. */
export interface StepTimeRecord {
  readonly steps: number;
  readonly median_ps: number | null;
  readonly least_ps: number | null;
  readonly greatest_ps: number | null;
  readonly mean_ps: number;
  readonly busy_ps: number;
  readonly compiling_ps: number;
  readonly waiting_ps: number;
}

/** A line of source, named as `LineRecord` names it. */
export interface PlaceRecord {
  readonly path: string | null;
  readonly line: number;
}

/** What an op contributes to a line. */
export interface LineOpRecord {
  readonly name: string;
  readonly category: string;
  readonly self_ps: number;
  readonly shared: boolean;
  readonly executions: number;
  readonly program_id: string;
  readonly inherited: boolean;
  readonly primitive: string;
  readonly scope: string;
  readonly shape: string;
  readonly operand_shapes: readonly string[];
  readonly shared_with: readonly PlaceRecord[];
}

/** One line of source. The five phases sum to ``self_ps``; ``inclusive_ps`` includes it. */
export interface LineRecord {
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly function: string;
  readonly self_ps: number;
  readonly inclusive_ps: number;
  readonly forward_ps: number;
  readonly backward_ps: number;
  readonly recompute_ps: number;
  readonly optimizer_ps: number;
  readonly other_ps: number;
  readonly per_step_ps: number | null;
  readonly inclusive_per_step_ps: number | null;
  readonly per_step_spread_ps: number | null;
  readonly executions: number;
  readonly executions_per_step: number | null;
  readonly ops: readonly LineOpRecord[];
}

/** One function of the user's, all its lines together. */
export interface FunctionRecord {
  readonly path: string | null;
  readonly file: string | null;
  readonly function: string;
  readonly line: number;
  readonly lines: number;
  readonly self_ps: number;
  readonly inclusive_ps: number;
  readonly forward_ps: number;
  readonly backward_ps: number;
  readonly recompute_ps: number;
  readonly optimizer_ps: number;
  readonly other_ps: number;
  readonly per_step_ps: number | null;
  readonly inclusive_per_step_ps: number | null;
}

/** One user stack and the self time of the ops that have it. */
export interface StackRecord {
  readonly lines: readonly number[];
  readonly self_ps: number;
  readonly per_step_ps: number | null;
}

/** The lines that the op time went to, longest self time first, and what could not be placed. */
export interface LinesRecord {
  readonly op_time_ps: number;
  readonly attributed_ps: number;
  readonly unattributed_ps: number;
  readonly outside_steps_ps: number | null;
  readonly devices: readonly DeviceRecord[];
  readonly steps_source: string | null;
  readonly steps_name: string | null;
  readonly steps_reason: string | null;
  readonly steps: readonly StepRecord[];
  readonly step_time: StepTimeRecord;
  readonly window: Readonly<Record<string, unknown>>;
  readonly cost_model: string | null;
  readonly warnings: readonly string[];
  readonly reason: string | null;
  readonly remedy: string | null;
  readonly lines: readonly LineRecord[];
  readonly unattributed_ops: readonly LineOpRecord[];
  readonly functions: readonly FunctionRecord[];
  readonly stacks: readonly StackRecord[];
  readonly format_version: number;
}

/** What the panel Hot Lines shows: the record, the text of its lines, and where they are now. */
export interface HotLinesView {
  readonly run: OpenedRun;
  readonly record: LinesRecord;
  readonly sources: readonly (string | null)[];
  readonly places: readonly (LocatedLine | null)[];
}

export type AnnotationState = 'current' | 'stale';

/** What one line of the present text carries. */
export interface Annotation {
  readonly line: number;
  readonly recorded_line: number;
  readonly text: string;
  readonly heat: number;
  readonly state: AnnotationState;
  readonly share_ratio: number;
  readonly inclusive: boolean;
}

/** Notification: the annotations of one document, replacing those before; for the text of that version. */
export interface Annotations {
  readonly uri: string;
  readonly version: number | null;
  readonly annotations: readonly Annotation[];
}

/** Notification: the run that is shown has changed; None after it was cleared. */
export interface ShownRun {
  readonly run: OpenedRun | null;
}

export interface Requests {
  readonly 'scopelight/runs': { readonly params: Nothing; readonly result: Runs };
  readonly 'scopelight/openRun': { readonly params: OpenRun; readonly result: OpenedRun };
  readonly 'scopelight/closeRun': { readonly params: Nothing; readonly result: Nothing };
  readonly 'scopelight/pinRun': { readonly params: PinRun; readonly result: Nothing };
  readonly 'scopelight/followCapture': { readonly params: FollowCapture; readonly result: FollowedCapture };
  readonly 'scopelight/locateLine': { readonly params: LocateLine; readonly result: LocatedLine };
  readonly 'scopelight/copyAsMarkdown': { readonly params: CopyLine; readonly result: Markdown };
  readonly 'scopelight/debugInformation': { readonly params: Nothing; readonly result: DebugInformation };
  readonly 'scopelight/panel/hotLines': { readonly params: HotLinesOptions; readonly result: HotLinesView };
}

export interface Panels {
  readonly 'hotLines': { readonly params: HotLinesOptions; readonly result: HotLinesView };
}

export interface Notifications {
  readonly 'scopelight/annotations': Annotations;
  readonly 'scopelight/shownRun': ShownRun;
  readonly 'scopelight/placesChanged': Nothing;
  readonly 'scopelight/runsChanged': Nothing;
}
