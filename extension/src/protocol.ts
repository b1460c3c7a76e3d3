// Generated from daemon/scopelight/protocol by extension/scripts/generate_protocol.py: do not edit.
// Keys are the names of the daemon's fields. Times are picoseconds, lines are 1-based, ids are strings.

export const PROTOCOL_VERSION = 1;

export type AnnotationMode = 'time' | 'phases' | 'flops' | 'padding' | 'memory' | 'change';

export type Scope = 'steps' | 'window' | 'outside';

/** Section ``scopelight`` of the client's settings, as far as the daemon uses it. */
export interface Settings {
  readonly annotations: boolean;
  readonly mode: AnnotationMode;
  readonly scope: Scope;
  readonly threshold_ratio: number;
  readonly most_lines: number;
  readonly inclusive_ratio: number;
  readonly target: string | null;
  readonly padding_waste_ratio: number;
  readonly padding_share_ratio: number;
  readonly advice: boolean;
  readonly budgets: boolean;
  readonly peak_flops_per_s: Readonly<Record<string, number>> | null;
  readonly peak_bytes_per_s: number | null;
  readonly code_lenses: boolean;
  readonly inlay_hints: boolean;
  readonly source_folders: Readonly<Record<string, string>> | null;
}

/** What a client may say when it starts the daemon; a client that says nothing gets the defaults. */
export interface InitializationOptions {
  readonly protocol_version: number | null;
  readonly annotations: boolean;
  readonly command_links: boolean;
  readonly settings: Settings;
  readonly texts: Readonly<Record<string, string>>;
}

export type Severity = 'empty' | 'error' | 'warning' | 'note' | 'advice';

/** Something that the product can do: ``command`` is a code (``show-view``), not the name of an editor's command. */
export interface Action {
  readonly command: string;
  readonly arguments: Readonly<Record<string, string | number | boolean | null | readonly (string | number | boolean | null)[]>>;
}

/** One thing found, without words: ``code`` is in kebab-case, ``values`` have their units in their names. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly values: Readonly<Record<string, unknown>>;
  readonly evidence: readonly string[];
  readonly action: Action | null;
  readonly text: string;
  readonly remedy: string;
}

/** No parameters, or no result. */
export type Nothing = Readonly<Record<string, never>>;

/** The exception that ended a script: its class, the first line of what it says, and the innermost frame of the */
export interface ScriptError {
  readonly kind: string;
  readonly message: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly function: string | null;
  readonly module: string | null;
}

/** One host of a session. ``path`` opens it alone; None where it recorded in parts, which open together only. */
export interface HostRecord {
  readonly name: string;
  readonly path: string | null;
  readonly size_bytes: number | null;
}

/** A window of a job, the ``number``-th that was captured of it, counted from 1. */
export interface RunWindow {
  readonly number: number;
  readonly kind: 'steps' | 'seconds' | 'time' | 'whole' | 'probe' | 'script' | 'code' | 'file' | null;
  readonly started: string | null;
  readonly seconds: number | null;
  readonly steps: number | null;
  readonly first_step: number | null;
  readonly last_step: number | null;
  readonly slow_steps: readonly number[];
}

/** A session as it opens: with those beside it that are of the same capture, whose number is ``folders``. */
export interface SessionRecord {
  readonly path: string;
  readonly name: string;
  readonly ended: string | null;
  readonly folders: number;
  readonly hosts: readonly HostRecord[];
  readonly size_bytes: number | null;
  readonly window: RunWindow | null;
}

/** One captured run. ``problem`` says why a run cannot be read; its other fields are then unknown. */
export interface RunRecord {
  readonly path: string;
  readonly created: string | null;
  readonly script: string | null;
  readonly args: readonly string[];
  readonly cwd: string | null;
  readonly python: string | null;
  readonly is_module: boolean;
  readonly state: string | null;
  readonly failure: string | null;
  readonly pid: number | null;
  readonly backend: string | null;
  readonly predicted_for: string | null;
  readonly was_cancelled: boolean;
  readonly devices: number | null;
  readonly device_kind: string | null;
  readonly steps: number | null;
  readonly exit_code: number | null;
  readonly size_bytes: number;
  readonly pinned: boolean;
  readonly out_of_memory: boolean;
  readonly error: ScriptError | null;
  readonly problem: string | null;
  readonly sessions: readonly SessionRecord[];
  readonly is_live: boolean;
  readonly revision: string | null;
}

/** A log directory that is no run: a path, or the address of one on a server. The newest session comes first. */
export interface LogDirectoryRecord {
  readonly path: string;
  readonly sessions: readonly SessionRecord[];
}

/** A commit with the first line of its message; ``asked`` is what it was called. ``dirty``: tracked files differed */
export interface ExperimentSide {
  readonly commit: string;
  readonly subject: string;
  readonly asked: string | null;
  readonly dirty: boolean;
}

/** An experiment in a list: its folder, how many rounds it has of both sides, and what is known of it. */
export interface ListedExperiment {
  readonly path: string;
  readonly created: string | null;
  readonly script: string | null;
  readonly args: readonly string[];
  readonly state: 'running' | 'finished' | 'interrupted' | 'failed' | null;
  readonly before: ExperimentSide;
  readonly after: ExperimentSide;
  readonly rounds: number;
  readonly rounds_planned: number | null;
  readonly problem: string | null;
}

/** The runs of all workspace folders, newest first, log directories in them that are no runs, and rounds of two */
export interface Runs {
  readonly runs: readonly RunRecord[];
  readonly log_directories: readonly LogDirectoryRecord[];
  readonly experiments: readonly ListedExperiment[];
}

/** Asks for the log directories below the address of one on a server (``s3://bucket/logs``). */
export interface ListLogDirectories {
  readonly address: string;
}

/** What can be opened there, those with the newest sessions first. */
export interface LogDirectories {
  readonly log_directories: readonly LogDirectoryRecord[];
}

/** Open a path, or the address of one on a server, and make it the run that is shown. */
export interface OpenRun {
  readonly path: string;
  readonly workDoneToken?: string | number | null;
}

/** The line with most of the wall clock that is on this machine: where it is now, what the run calls it, and its */
export interface HottestLine {
  readonly file: string | null;
  readonly path: string | null;
  readonly line: number;
  readonly recorded_file: string | null;
  readonly recorded_line: number;
  readonly share_ratio: number;
}

export type Need = 'executions' | 'waiting' | 'programs' | 'memory' | 'traces' | 'resources' | 'compatibility';

/** The run that is shown. Sentences are ready to be read by a person. */
export interface OpenedRun {
  readonly path: string;
  readonly address: string | null;
  readonly session: string | null;
  readonly title: string;
  readonly headline: string;
  readonly short: string;
  readonly summary: string;
  readonly busy_ratio: number | null;
  readonly hottest: HottestLine | null;
  readonly lines: number;
  readonly files: readonly string[];
  readonly has: readonly Need[];
  readonly never_ran: boolean;
  readonly memory_alone: boolean;
  readonly out_of_memory: string | null;
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly prediction: readonly string[];
  readonly predicted_by: string | null;
}

/** Pin a run, so that retention never deletes it, or unpin it. */
export interface PinRun {
  readonly path: string;
  readonly pinned: boolean;
}

/** Asks a capture that waits for steps to open its window at once. */
export interface CaptureNow {
  readonly path: string;
}

/** Asks for another window of a job that was captured and still runs; the answer comes when it can be opened. */
export interface CaptureAgain {
  readonly path: string;
  readonly workDoneToken?: string | number | null;
}

/** Asks to be told when a capture's profile can be opened; progress is reported meanwhile. */
export interface FollowCapture {
  readonly path: string;
  readonly capture_now_command?: string | null;
  readonly workDoneToken?: string | number | null;
}

export type CaptureStage = 'starting' | 'compiling' | 'measuring' | 'capturing' | 'calibrating' | 'predicting' | 'captured' | 'failed';

/** How the capture ended; ``failure`` is a sentence for the user. */
export interface FollowedCapture {
  readonly path: string;
  readonly stage: CaptureStage;
  readonly failure: string | null;
  readonly out_of_memory: boolean;
  readonly error: ScriptError | null;
}

/** A TPU by its name, with what it is in a few words (``8 devices of 16 GiB, 2×4``). */
export interface OfferedTpu {
  readonly name: string;
  readonly description: string;
}

/** The environment that compiles for TPUs: whether it is there, and what it would cost. */
export interface CompilerState {
  readonly is_there: boolean;
  readonly folder: string;
  readonly download_bytes: number;
  readonly disk_bytes: number;
  readonly problem: string | null;
  readonly offered: readonly OfferedTpu[];
}

/** Download it. Progress and cancellation as the protocol has them. */
export interface InstallCompiler {
  readonly workDoneToken?: string | number | null;
}

/** How many bytes of the disk were given back. */
export interface RemovedCompiler {
  readonly removed_bytes: number;
}

/** Predicted runs by their paths, in the order of their columns, and measured ones to be set beside them. */
export interface CompareTargets {
  readonly paths: readonly string[];
}

/** The comparison as Markdown, and what it is called (``step.py: v5e-8, v6e-8``). */
export interface ComparedTargets {
  readonly title: string;
  readonly text: string;
}

/** Compares a run, whenever it is the one that is shown, with what was before it. */
export interface CompareWith {
  readonly run: string;
  readonly before: string | null;
}

/** What is compared. ``run`` is the run that shows it, one of the ``after``; paths are in the order of the rounds. */
export interface ComparedWith {
  readonly run: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly since: string;
  readonly before_title: string;
  readonly after_title: string;
  readonly before_revision: string | null;
  readonly after_revision: string | null;
  readonly experiment: string | null;
}

/** A name of a TPU, as somebody wrote it. */
export interface NameTpu {
  readonly name: string;
}

/** A sentence that says what is wrong with the name; None where it is one. */
export interface NamedTpu {
  readonly problem: string | null;
}

/** A job that listens: ``script`` relative to ``cwd``, or a module. ``kind`` says how it can be captured: */
export interface LocalJob {
  readonly pid: number;
  readonly address: string;
  readonly script: string;
  readonly arguments: readonly string[];
  readonly cwd: string | null;
  readonly jaxlib: string | null;
  readonly kind: 'current' | 'older' | 'tensorflow' | 'none';
  readonly shares_port: boolean;
}

/** A process that has loaded jax: ``script`` relative to ``cwd``, or a module. */
export interface UnpreparedJob {
  readonly pid: number;
  readonly script: string;
  readonly arguments: readonly string[];
  readonly cwd: string | null;
  readonly jaxlib: string | null;
  readonly refusal: string | null;
}

/** The jobs of this machine: those that a profiler server can be reached at, and those that nobody prepared. */
export interface LocalJobs {
  readonly jobs: readonly LocalJob[];
  readonly unprepared: readonly UnpreparedJob[];
}

/** Capture the profiler servers at ``addresses`` (``HOST:PORT``) for ``seconds``, at once, into a run in ``folder``. */
export interface CaptureServers {
  readonly addresses: readonly string[];
  readonly folder: string;
  readonly seconds?: number;
  readonly trusts?: boolean;
  readonly workDoneToken?: string | number | null;
}

/** The run, None where there is nothing to open; ``problems`` are sentences for the user of what is missing. */
export interface CapturedJobs {
  readonly path: string | null;
  readonly problems: readonly string[];
}

/** Put the agent into the process ``pid``, and capture it for ``seconds`` into a run in ``folder``; then it leaves. */
export interface AttachToJob {
  readonly pid: number;
  readonly folder: string;
  readonly seconds?: number;
  readonly workDoneToken?: string | number | null;
}

/** Watch the job whose run is at ``path``, a reading every ``seconds``; whatever was watched before is left. */
export interface WatchJob {
  readonly path: string;
  readonly seconds?: number;
}

export type UtilisationBasis = 'device-busy' | 'matrix-unit' | 'duty-cycle';

export type StepBasis = 'counted' | 'traced';

export type InfeedBasis = 'infeed-ops' | 'host-input';

/** How a job did at ``time_ns``, as `JobReading` has it; ``line`` says it, and ``said`` what there is to say of it. */
export interface WatchedReading {
  readonly time_ns: number;
  readonly line: string;
  readonly said: readonly string[];
  readonly device_type: string | null;
  readonly utilisation_ratio: number | null;
  readonly utilisation_basis: UtilisationBasis | null;
  readonly idle_ratio: number | null;
  readonly cores: number | null;
  readonly step_avg_ps: number | null;
  readonly step_min_ps: number | null;
  readonly step_max_ps: number | null;
  readonly step_basis: StepBasis | null;
  readonly infeed_avg_ratio: number | null;
  readonly infeed_min_ratio: number | null;
  readonly infeed_max_ratio: number | null;
  readonly infeed_basis: InfeedBasis | null;
  readonly memory_used_bytes: number | null;
  readonly traced_ps: number | null;
  readonly pause_ps: number | null;
}

/** Readings of the job at ``path`` that were taken before, the earliest first. */
export interface WatchedJob {
  readonly path: string;
  readonly readings: readonly WatchedReading[];
}

/** Asks where a line of the run that is shown is in the present text. */
export interface LocateLine {
  readonly file: string;
  readonly line: number;
}

export type PlaceState = 'current' | 'stale' | 'gone';

export type LineSource = 'file' | 'cell' | 'copy' | 'absent' | 'fileless';

/** Where a line of the run is to be looked at. */
export interface FoundLine {
  readonly file: string;
  readonly line: number;
  readonly state: PlaceState;
  readonly source: LineSource;
  readonly run: string | null;
  readonly reason: string | null;
  readonly cell: number | null;
}

/** Asks for the copy of a file that a run keeps, which must be the one that is shown or compared with it: no other */
export interface RecordedSource {
  readonly run: string;
  readonly file: string;
}

/** ``text`` is None where the run is neither shown nor compared, or keeps no copy of the file. */
export interface RecordedText {
  readonly text: string | null;
}

/** Asks which recorded folder ``folder`` of this machine, or one in it, is, given a recorded ``file`` of it. */
export interface LocateFolder {
  readonly file: string;
  readonly folder: string;
}

/** ``folder`` is here what ``recorded`` was there, as `Settings.source_folders` has them; None both where the file */
export interface LocatedFolder {
  readonly recorded: string | null;
  readonly folder: string | null;
  readonly reason: string | null;
}

/** Asks for one line of the run that is shown as Markdown; without a line for the table of all hot lines. */
export interface CopyLine {
  readonly file?: string | null;
  readonly line?: number | null;
}

/** Text for the clipboard. */
export interface Markdown {
  readonly text: string;
}

/** Asks to write ``output`` for Chrome's tracing and Perfetto: the whole run, or a span and some tracks of it. */
export interface ExportTimeline {
  readonly path?: string | null;
  readonly output: string;
  readonly start_ps?: number | null;
  readonly end_ps?: number | null;
  readonly tracks?: readonly string[] | null;
  readonly workDoneToken?: string | number | null;
}

/** A file that was written for Chrome's tracing and Perfetto. ``findings`` count by kind what it does not hold. */
export interface ExportedTimeline {
  readonly path: string;
  readonly events: number;
  readonly findings: readonly Finding[];
}

export type ReportFormat = 'html' | 'markdown';

/** Asks to write a report of the run at ``path`` to the file ``output``; None answers with its text instead. */
export interface WriteReport {
  readonly path: string;
  readonly output?: string | null;
  readonly format?: ReportFormat;
  readonly with_source?: boolean;
  readonly workDoneToken?: string | number | null;
}

/** A report: the file that it was written to and its size, or its text. */
export interface WrittenReport {
  readonly path: string | null;
  readonly bytes: number;
  readonly text: string | null;
}

/** Asks what budgets the run at ``path`` would hold, None for the one that is shown. */
export interface ProposeBudgets {
  readonly path?: string | null;
  readonly file?: string | null;
  readonly line?: number | null;
}

/** A budget that a run would hold. Texts are ready to be read by a person. */
export interface ProposedBudget {
  readonly name: string;
  readonly place: string | null;
  readonly limit: string;
  readonly title: string;
  readonly description: string;
  readonly detail: string;
  readonly is_first_choice: boolean;
}

/** What a run would hold, and the file that the budgets are to be written to. ``is_new``: there is none yet. */
export interface ProposedBudgets {
  readonly run: string;
  readonly config: string;
  readonly is_new: boolean;
  readonly budgets: readonly ProposedBudget[];
}

/** One of the proposed. */
export interface ChosenBudget {
  readonly name: string;
  readonly place: string | null;
  readonly limit: string;
}

/** Asks for the edits that write budgets into the file ``config``, as it is in the editor now. */
export interface SetBudgets {
  readonly config: string;
  readonly budgets: readonly ChosenBudget[];
}

/** New text for a part of a file; lines and characters count from 0, characters as the client counts them. */
export interface TextReplacement {
  readonly start_line: number;
  readonly start_character: number;
  readonly end_line: number;
  readonly end_character: number;
  readonly text: string;
}

/** The edits of the file ``config``, which is new where there was none; ``line``, from 1, is the first changed. */
export interface BudgetEdits {
  readonly config: string;
  readonly is_new: boolean;
  readonly edits: readonly TextReplacement[];
  readonly line: number;
}

/** A tool is to be called: ``arguments`` is the JSON object that the model gave, as text. */
export interface CallTool {
  readonly name: string;
  readonly arguments: string;
  readonly agreed?: boolean;
}

/** What the model reads: ``is_error`` where the tool could not answer. */
export interface ToolAnswer {
  readonly text: string;
  readonly is_error: boolean;
  readonly view: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly run: string | null;
}

/** What a report of a fault needs: versions, paths, the state of the daemon; one line each. */
export interface DebugInformation {
  readonly text: string;
}

/** What of a run the overview looks at. */
export interface OverviewOptions {
  readonly device?: string | null;
}

/** What a view shows of a run. ``devices`` ran ops; a view with an option for it may be asked for one of them, or */
export interface ViewAnswer<R> {
  readonly run: OpenedRun;
  readonly devices: readonly string[];
  readonly hosts: readonly string[];
  readonly record: R;
}

/** What the sums of a record are over. */
export interface ExtentRecord {
  readonly kind: 'steps' | 'window' | 'outside' | 'program';
  readonly steps: number;
  readonly duration_ps: number;
  readonly devices: number;
  readonly has_steps: boolean;
}

/** Durations of the complete steps; all but their number are None without any. */
export interface StepTimeRecord {
  readonly steps: number;
  readonly mean_ps: number | null;
  readonly median_ps: number | null;
  readonly least_ps: number | null;
  readonly greatest_ps: number | null;
}

/** One figure of the performance: ``value`` in ps, a ratio or bytes, as its quantity has it; None where unknown. */
export interface SummaryFigure {
  readonly quantity: 'step' | 'device-idle' | 'host-idle' | 'model-flops' | 'executed-flops' | 'bandwidth' | 'input' | 'memory';
  readonly value: number | null;
  readonly basis: 'measured' | 'estimated' | 'predicted' | 'unknown';
  readonly sigma: number | null;
  readonly least: number | null;
  readonly greatest: number | null;
  readonly at_least: boolean;
}

/** A complete step; ``parts`` sum to ``wall_ps``, its duration on each of the devices, exactly. */
export interface OverviewStep {
  readonly number: number;
  readonly start_ps: number;
  readonly duration_ps: number;
  readonly wall_ps: number;
  readonly parts: Readonly<Partial<Record<'compute' | 'communication' | 'input' | 'sync' | 'transfer' | 'compile' | 'dispatch' | 'python' | 'unexplained', number>>>;
  readonly is_outlier: boolean;
  readonly is_steady: boolean;
}

/** A line that ops ran for, or that devices waited for: ``per_step_ps`` of the wall clock; ``cumulative_ratio`` */
export interface OverviewLine {
  readonly key: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly function: string;
  readonly time_ps: number;
  readonly per_step_ps: number | null;
  readonly share_ratio: number;
  readonly cumulative_ratio: number;
  readonly kind: 'compile' | 'garbage-collection' | 'release' | 'input' | 'callback' | 'transfer' | 'sync' | 'dispatch' | 'python' | 'runtime' | 'untraced' | 'unknown' | null;
  readonly basis: 'exact' | 'estimated' | null;
}

/** An op of those that took longest; ``share_ratio`` is of the op time, ``cumulative_ratio`` with those before. */
export interface OverviewOp {
  readonly key: string;
  readonly name: string;
  readonly primitive: string;
  readonly category: string;
  readonly self_ps: number;
  readonly per_step_ps: number | null;
  readonly share_ratio: number;
  readonly cumulative_ratio: number;
  readonly flops_per_s: number | null;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** All ops of one category; of the last, which has no name, those of all others. */
export interface OpKind {
  readonly category: string;
  readonly self_ps: number;
  readonly share_ratio: number;
}

/** A device that ran ops, and the self time of all of them. */
export interface DeviceRecord {
  readonly name: string;
  readonly kind: string;
  readonly host: number;
  readonly ordinal: number;
  readonly op_time_ps: number;
  readonly model: string;
}

/** What a run ran on, as far as it is recorded. */
export interface RunEnvironment {
  readonly hosts: number;
  readonly devices: readonly DeviceRecord[];
  readonly cores: number | null;
  readonly usable_cores: number | null;
  readonly memory_bytes: number | null;
  readonly batch_size: number | null;
  readonly batch_size_most: number | null;
  readonly batch_arguments: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly folder: string | null;
  readonly python: string | null;
  readonly platform: string | null;
  readonly created: string | null;
  readonly git_commit: string | null;
  readonly git_dirty: boolean | null;
}

/** A finding on what could be better, with its proof: ``evidence`` are keys of lines and ops. */
export interface Advice {
  readonly code: string;
  readonly severity: Severity;
  readonly values: Readonly<Record<string, unknown>>;
  readonly evidence: readonly string[];
  readonly action: Action | null;
  readonly text: string;
  readonly remedy: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly key: string | null;
  readonly saving_per_step_ps: number | null;
  readonly saving_ratio: number | null;
  readonly saving_bytes: number | null;
  readonly saving_basis: 'waiting' | 'overlap' | 'compiling' | 'excess' | 'op-time' | 'padding' | 'bytes' | 'plan' | null;
  readonly confidence: 'high' | 'medium' | 'low';
  readonly shares_cores: boolean;
  readonly within: string | null;
  readonly saving: string;
}

/** What a device can do at most. */
export interface PeakRecord {
  readonly device: string;
  readonly kind: string;
  readonly flops_per_s: Readonly<Record<string, number>>;
  readonly bytes_per_s: Readonly<Record<string, number>>;
  readonly memory_bytes: number | null;
  readonly basis: 'stated' | 'corrected' | 'table' | 'calibrated' | 'setting';
  readonly sources: readonly Finding[];
  readonly from_table: readonly string[];
  readonly corrected: readonly string[];
  readonly model: string;
  readonly cache_bytes_per_s: number | null;
}

/** How much of each part of the window, of equal lengths, a device was busy, stalled and idle; None untraced. */
export interface BusyCurve {
  readonly device: string;
  readonly busy_ratios: readonly number[];
}

/** What a memory held at moments of the window, and the most that it can; the greatest of what lies between. */
export interface MemoryCurve {
  readonly name: string;
  readonly times_ps: readonly number[];
  readonly used_bytes: readonly number[];
  readonly peak_bytes: number;
  readonly capacity_bytes: number | null;
}

/** One page on a run, of all devices or of one. */
export interface OverviewRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly extent: ExtentRecord;
  readonly device: string | null;
  readonly device_names: readonly string[];
  readonly step_time: StepTimeRecord;
  readonly steps_source: string | null;
  readonly summary: readonly SummaryFigure[];
  readonly parts: Readonly<Partial<Record<'compute' | 'communication' | 'input' | 'sync' | 'transfer' | 'compile' | 'dispatch' | 'python' | 'unexplained', number>>>;
  readonly steps: readonly OverviewStep[];
  readonly lines: readonly OverviewLine[];
  readonly waiting_lines: readonly OverviewLine[];
  readonly ops: readonly OverviewOp[];
  readonly op_time_ps: number;
  readonly kinds: readonly OpKind[];
  readonly environment: RunEnvironment;
  readonly advice: readonly Advice[];
  readonly advice_left_out: number;
  readonly effects: readonly Finding[];
  readonly peaks: readonly PeakRecord[];
  readonly busy: readonly BusyCurve[];
  readonly memories: readonly MemoryCurve[];
  readonly window_ps: number;
}

/** A view that is asked only what of the run it looks at. */
export interface ScopeOptions {
  readonly scope?: Scope | null;
}

/** How long devices waited for one cause, together. */
export interface StallRecord {
  readonly cause: 'copy' | 'collective' | 'peer' | 'host';
  readonly stalled_ps: number;
}

/** The wall clock of an extent, summed over its devices: ``busy_ps`` + ``stalled_ps`` + ``idle_ps`` = ``wall_ps``. */
export interface WallRecord {
  readonly wall_ps: number;
  readonly busy_ps: number;
  readonly stalled_ps: number;
  readonly idle_ps: number;
  readonly compiling_ps: number;
  readonly stalls: readonly StallRecord[];
}

/** One complete step; ``start_ps`` counts from the profile's first event. */
export interface StepRecord {
  readonly start_ps: number;
  readonly duration_ps: number;
  readonly devices: number;
  readonly wall_ps: number;
  readonly busy_ps: number;
  readonly stalled_ps: number;
  readonly idle_ps: number;
  readonly idle_classes: Readonly<Partial<Record<'compile' | 'garbage-collection' | 'release' | 'input' | 'callback' | 'transfer' | 'sync' | 'dispatch' | 'python' | 'runtime' | 'untraced' | 'unknown', number>>>;
  readonly cpu_ps: number | null;
}

/** The hosts on which something takes least and most of a step, and how long it takes there. */
export interface HostSpread {
  readonly least_host: string;
  readonly least_per_step_ps: number;
  readonly greatest_host: string;
  readonly greatest_per_step_ps: number;
}

/** A line of source, named as `LineRecord` names it. */
export interface PlaceRecord {
  readonly path: string | null;
  readonly line: number;
}

export type Phase = 'forward' | 'backward' | 'recompute' | 'optimizer' | 'other';

/** What an op contributes to a line. */
export interface LineOpRecord {
  readonly key: string;
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
  readonly phase: Phase | null;
  readonly stall: 'copy' | 'collective' | 'peer' | 'host' | null;
  readonly has_estimate: boolean;
}

/** A line whose wait for a result exposed what devices waited for: ``waiting_ps`` began as that wait was over. */
export interface ExposureRecord {
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly waiting_ps: number;
}

/** Where another thread stood, in ``share_ratio`` of the time that devices waited for a line. */
export interface MeanwhileRecord {
  readonly thread: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly function: string;
  readonly share_ratio: number;
}

/** One line of source. The five phases sum to ``self_ps``; ``inclusive_ps`` includes it. */
export interface LineRecord {
  readonly key: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly function: string;
  readonly self_ps: number;
  readonly inclusive_ps: number;
  readonly wall_ps: number;
  readonly inclusive_wall_ps: number;
  readonly waiting_ps: number;
  readonly waiting_inclusive_ps: number;
  readonly waiting_classes: Readonly<Partial<Record<'compile' | 'garbage-collection' | 'release' | 'input' | 'callback' | 'transfer' | 'sync' | 'dispatch' | 'python' | 'runtime' | 'untraced' | 'unknown', number>>>;
  readonly basis: 'exact' | 'estimated' | null;
  readonly share_ratio: number;
  readonly inclusive_share_ratio: number;
  readonly waiting_share_ratio: number;
  readonly forward_ps: number;
  readonly backward_ps: number;
  readonly recompute_ps: number;
  readonly optimizer_ps: number;
  readonly other_ps: number;
  readonly per_step_ps: number | null;
  readonly inclusive_per_step_ps: number | null;
  readonly waiting_per_step_ps: number | null;
  readonly per_step_spread_ps: number | null;
  readonly few_steps: number | null;
  readonly few_steps_each_ps: number | null;
  readonly op_time_per_step_ps: number | null;
  readonly collective_wait_ps: number | null;
  readonly collective_move_ps: number | null;
  readonly collective_wait_per_step_ps: number | null;
  readonly collective_move_per_step_ps: number | null;
  readonly host_spread: HostSpread | null;
  readonly cpu_ps: number | null;
  readonly cpu_per_step_ps: number | null;
  readonly executions: number;
  readonly executions_per_step: number | null;
  readonly ops: readonly LineOpRecord[];
  readonly exposed_by: readonly ExposureRecord[];
  readonly meanwhile: readonly MeanwhileRecord[];
}

/** One function of the user's, all its lines together. */
export interface FunctionRecord {
  readonly key: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly function: string;
  readonly line: number;
  readonly lines: number;
  readonly self_ps: number;
  readonly inclusive_ps: number;
  readonly wall_ps: number;
  readonly inclusive_wall_ps: number;
  readonly waiting_ps: number;
  readonly waiting_inclusive_ps: number;
  readonly share_ratio: number;
  readonly inclusive_share_ratio: number;
  readonly forward_ps: number;
  readonly backward_ps: number;
  readonly recompute_ps: number;
  readonly optimizer_ps: number;
  readonly other_ps: number;
  readonly per_step_ps: number | null;
  readonly inclusive_per_step_ps: number | null;
}

/** One user stack, the self time of the ops that have it, their part of the wall clock, and how long devices were */
export interface StackRecord {
  readonly lines: readonly number[];
  readonly self_ps: number;
  readonly wall_ps: number;
  readonly waiting_ps: number;
}

/** A line at which the host waits for results in the complete steps. */
export interface SyncRecord {
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly waits_per_step: number;
  readonly exposed_ps: number;
  readonly at_best_step_ps: number;
  readonly shares_cores: boolean;
}

/** The lines that the time of the ``extent`` went to, longest first, and what could not be placed. */
export interface LinesRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly extent: ExtentRecord;
  readonly wall: WallRecord | null;
  readonly op_time_ps: number;
  readonly attributed_ps: number;
  readonly unattributed_ps: number;
  readonly unattributed_wall_ps: number;
  readonly idle_ps: number;
  readonly idle_classes: Readonly<Partial<Record<'compile' | 'garbage-collection' | 'release' | 'input' | 'callback' | 'transfer' | 'sync' | 'dispatch' | 'python' | 'runtime' | 'untraced' | 'unknown', number>>>;
  readonly unattributed_waiting_ps: number;
  readonly steps_wall_ps: number;
  readonly devices: readonly DeviceRecord[];
  readonly steps_source: string | null;
  readonly steps_name: string | null;
  readonly steps: readonly StepRecord[];
  readonly step_time: StepTimeRecord;
  readonly window: Readonly<Record<string, unknown>>;
  readonly lines: readonly LineRecord[];
  readonly unattributed_ops: readonly LineOpRecord[];
  readonly functions: readonly FunctionRecord[];
  readonly stacks: readonly StackRecord[];
  readonly syncs: readonly SyncRecord[];
  readonly cpu_ps: number | null;
  readonly unattributed_cpu_ps: number | null;
}

/** ``file`` and ``line`` are of the present text; the nearest line that is left where the state is ``gone``. */
export interface LocatedLine {
  readonly file: string;
  readonly line: number;
  readonly state: PlaceState;
}

/** What the view of lines shows: its record, the text of its lines, and where they are now. */
export interface LinesAnswer {
  readonly run: OpenedRun;
  readonly devices: readonly string[];
  readonly hosts: readonly string[];
  readonly record: LinesRecord;
  readonly sources: readonly (string | null)[];
  readonly places: readonly (LocatedLine | null)[];
}

/** What of a run the step trace looks at, and where its steps are divided. */
export interface StepTraceOptions {
  readonly device?: string | null;
  readonly forward_start?: string | null;
  readonly backward_end?: string | null;
}

/** One complete step, means over devices; of the mean of all steady steps ``number`` is 0. */
export interface StepTraceRow {
  readonly number: number;
  readonly start_ps: number;
  readonly duration_ps: number;
  readonly interval_ps: number;
  readonly forward_backward_ps: number;
  readonly tail_ps: number;
  readonly interval_parts: Readonly<Partial<Record<'compute' | 'communication' | 'input' | 'sync' | 'transfer' | 'compile' | 'dispatch' | 'python' | 'unexplained', number>>>;
  readonly forward_ps: number;
  readonly backward_ps: number;
  readonly recompute_ps: number;
  readonly optimizer_ps: number;
  readonly other_ps: number;
  readonly communication_ps: number;
  readonly collectives: number;
  readonly collective_ps: number;
  readonly collective_bytes: number | null;
  readonly exposed_ps: number;
  readonly has_interval: boolean;
  readonly is_steady: boolean;
  readonly is_outlier: boolean;
}

/** A collective in the steps: ``per_step`` is how often it runs in one, on one device; times are of one run. */
export interface CollectiveRow {
  readonly key: string;
  readonly name: string;
  readonly primitive: string;
  readonly category: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly per_step: number;
  readonly bytes: number | null;
  readonly mean_ps: number;
  readonly exposed_ps: number;
  readonly has_estimate: boolean;
}

/** Each complete step and their mean, of all devices or of one. */
export interface StepTraceRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly device: string | null;
  readonly device_names: readonly string[];
  readonly steps_source: string | null;
  readonly step_time: StepTimeRecord;
  readonly rows: readonly StepTraceRow[];
  readonly mean: StepTraceRow | null;
  readonly collectives: readonly CollectiveRow[];
  readonly has_backward: boolean;
  readonly starts_at: string;
  readonly starts_at_line: string;
  readonly starts_by: 'phases' | 'ops' | 'option' | 'variable';
  readonly ends_at: string;
  readonly ends_at_line: string;
  readonly ends_by: 'phases' | 'ops' | 'option' | 'variable';
}

/** A view without options. */
export type NoOptions = Readonly<Record<string, never>>;

/** An argument of a program, or an array in one: its name in the code (``params['w']``), and its shape. */
export interface ProgramArgument {
  readonly name: string;
  readonly shape: string;
}

/** What an argument, an array in it, or an option was, and became; None where it was not, or is not, there. */
export interface ChangedArgument {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A compiled program that ran, or is held by the profile. */
export interface ProgramRow {
  readonly key: string;
  readonly name: string;
  readonly function: string;
  readonly program_id: string;
  readonly variant: number;
  readonly variants: number;
  readonly runs: number;
  readonly runs_per_step: number | null;
  readonly time_ps: number;
  readonly mean_ps: number | null;
  readonly share_ratio: number;
  readonly compile_ps: number | null;
  readonly peak_bytes: number | null;
  readonly instructions: number | null;
  readonly arguments: readonly ProgramArgument[];
  readonly changed: readonly ChangedArgument[];
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** All that was compiled of one function from one line, for one cause, over the whole run of the script. */
export interface CompilationRow {
  readonly key: string;
  readonly function: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly cause: 'first' | 'argument' | 'static' | 'structure' | 'context' | 'redefined' | 'placement' | 'unexplained';
  readonly count: number;
  readonly in_steps: number;
  readonly time_ps: number;
  readonly changed: readonly ChangedArgument[];
}

/** Every compiled program, most time first, and what compiling took. */
export interface ProgramsRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly program_time_ps: number;
  readonly compile_ps: number | null;
  readonly rows: readonly ProgramRow[];
  readonly compilations: readonly CompilationRow[];
}

/** A program of a family: its arguments whose shapes change, and the mean of its runs. */
export interface ShapeVariant {
  readonly key: string;
  readonly program_id: string;
  readonly number: number;
  readonly shapes: readonly ProgramArgument[];
  readonly runs: number;
  readonly mean_ps: number;
  readonly compile_ps: number | null;
}

/** One run of a program of a family, on its first device: which variant (a row of ``variants``), and its op time. */
export interface ShapeIteration {
  readonly number: number;
  readonly step: number | null;
  readonly variant: number;
  readonly start_ps: number;
  readonly duration_ps: number;
  readonly op_time_ps: number;
}

/** The op time of one category, or of one op over all variants, by iteration of its family. */
export interface ShapeSeries {
  readonly key: string;
  readonly name: string;
  readonly is_op: boolean;
  readonly times_ps: readonly number[];
}

/** What padding the size that changes to a few ``sizes`` would cost and save. */
export interface BucketPlan {
  readonly sizes: readonly number[];
  readonly padding_ratio: number;
  readonly compiles: number;
  readonly saved_ps: number | null;
}

/** The programs that one function was compiled to, for arguments of other shapes. */
export interface ShapeFamily {
  readonly key: string;
  readonly name: string;
  readonly function: string;
  readonly variants: readonly ShapeVariant[];
  readonly iterations: readonly ShapeIteration[];
  readonly series: readonly ShapeSeries[];
  readonly argument: string | null;
  readonly dimension: number | null;
  readonly plans: readonly BucketPlan[];
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** The families of programs whose shapes change, most time first. */
export interface ShapesRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly families: readonly ShapeFamily[];
}

/** What to do next, largest saving first; ``left_out`` more were found. */
export interface AdviceRecord {
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly findings: readonly Advice[];
  readonly notes: readonly Finding[];
  readonly effects: readonly Finding[];
  readonly steps: number;
  readonly step_ps: number | null;
  readonly left_out: number;
}

/** Which device, and what to hold its padding against. */
export interface OpsOptions {
  readonly device?: string | null;
  readonly target?: string | null;
  readonly scope?: Scope | null;
}

/** The matrix unit that products were held against. */
export interface MatrixUnitRecord {
  readonly rows: number;
  readonly columns: number;
  readonly device: string | null;
  readonly basis: 'measured' | 'estimated' | 'predicted';
}

/** One op: an HLO instruction or kernel that ran, all its executions on the chosen devices together. */
export interface OpRow {
  readonly key: string;
  readonly program_key: string;
  readonly program: string;
  readonly program_id: string;
  readonly name: string;
  readonly category: string;
  readonly opcode: string;
  readonly op_name: string;
  readonly primitive: string;
  readonly scope: string;
  readonly phase: Phase;
  readonly side: 'device' | 'host' | 'callback';
  readonly shape: string;
  readonly operand_shapes: readonly string[];
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string;
  readonly shared: boolean;
  readonly executions: number;
  readonly executions_per_step: number | null;
  readonly self_ps: number;
  readonly wall_ps: number;
  readonly mean_ps: number;
  readonly least_ps: number;
  readonly greatest_ps: number;
  readonly per_step_ps: number | null;
  readonly share_ratio: number;
  readonly flops: number | null;
  readonly model_flops: number | null;
  readonly padded_flops: number | null;
  readonly transcendentals: number | null;
  readonly bytes: number | null;
  readonly bytes_by_space: Readonly<Record<string, number>>;
  readonly basis: 'measured' | 'estimated' | 'predicted';
  readonly element_type: string;
  readonly flop_utilisation_ratio: number | null;
  readonly bandwidth_utilisation_ratio: number | null;
  readonly bound_by: string | null;
  readonly wasted_ps: number | null;
  readonly asynchronous: boolean;
  readonly findings: readonly Finding[];
  readonly has_estimate: boolean;
  readonly cpu_ps: number | null;
  readonly cpu_per_step_ps: number | null;
}

/** Every op that ran, longest self time first. */
export interface OpsRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly op_time_ps: number;
  readonly window_ps: number;
  readonly steps: number;
  readonly devices: readonly DeviceRecord[];
  readonly device: string | null;
  readonly extent: ExtentRecord;
  readonly matrix_unit: MatrixUnitRecord | null;
  readonly peaks: readonly PeakRecord[];
  readonly rows: readonly OpRow[];
}

export type OpProfileGrouping = 'category' | 'program' | 'scope' | 'line';

/** What the tree is grouped by, and which device. */
export interface OpProfileOptions {
  readonly by?: OpProfileGrouping;
  readonly device?: string | null;
  readonly scope?: Scope | null;
}

export type OpProfileKind = 'total' | 'category' | 'program' | 'scope' | 'line' | 'op' | 'element' | 'idle';

/** A node of the tree. Rows are in preorder: the children of a row follow it with a greater ``depth``. */
export interface OpProfileRow {
  readonly key: string;
  readonly op_key: string | null;
  readonly depth: number;
  readonly kind: OpProfileKind;
  readonly label: string;
  readonly category: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly executions: number | null;
  readonly self_ps: number | null;
  readonly wall_ps: number | null;
  readonly share_ratio: number | null;
  readonly wasted_ps: number | null;
  readonly flops: number | null;
  readonly bytes: number | null;
  readonly flop_utilisation_ratio: number | null;
  readonly bandwidth_utilisation_ratio: number | null;
  readonly bound_by: string | null;
  readonly asynchronous: boolean;
  readonly findings: readonly Finding[];
  readonly utilisation_is_least: boolean;
  readonly wasted_is_least: boolean;
  readonly primitive: string;
  readonly phase: Phase | null;
  readonly has_estimate: boolean;
}

/** The op profile in one grouping. */
export interface OpProfileRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly grouping: OpProfileGrouping;
  readonly extent: ExtentRecord;
  readonly op_time_ps: number;
  readonly wall: WallRecord | null;
  readonly rows: readonly OpProfileRow[];
}

/** FLOPs of the whole model (depth 0), of a scope, or of an op (``key`` is then its `OpRow.key`). */
export interface FlopsRow {
  readonly key: string;
  readonly depth: number;
  readonly kind: 'model' | 'scope' | 'op';
  readonly label: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly phase: Phase | null;
  readonly self_ps: number;
  readonly flops: number | null;
  readonly model_flops: number | null;
  readonly padded_flops: number | null;
  readonly unknown_ps: number;
  readonly flops_per_s: number | null;
  readonly mfu_ratio: number | null;
  readonly hfu_ratio: number | null;
  readonly padding_waste_ratio: number | null;
  readonly recompute_ratio: number | null;
  readonly utilisation_is_least: boolean;
  readonly primitive: string;
}

/** FLOPs over the scopes of the program, over the ``extent``. The first row is the whole model. */
export interface FlopsRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly extent: ExtentRecord;
  readonly wall_ps: number;
  readonly steps: number;
  readonly matrix_unit: MatrixUnitRecord | null;
  readonly peaks: readonly PeakRecord[];
  readonly rows: readonly FlopsRow[];
}

export type GraphLevel = 'lines' | 'scopes' | 'ops';

/** Which program, which level of it, and what is in the middle. */
export interface GraphOptions {
  readonly program?: string | null;
  readonly level?: GraphLevel | null;
  readonly op?: string | null;
  readonly radius?: number;
  readonly open?: readonly string[];
  readonly hubs?: boolean;
  readonly to?: string | null;
  readonly search?: string | null;
  readonly memory?: boolean;
  readonly device?: string | null;
  readonly scope?: Scope | null;
}

/** A program that there is a graph of: ``instructions`` are all of it. */
export interface GraphProgram {
  readonly key: string;
  readonly name: string;
  readonly program_id: string;
  readonly instructions: number;
  readonly self_ps: number | null;
}

/** How many of a node's ops a TPU would compute, and how; ``unjudged`` are those of which that cannot be told. */
export interface Compatibility {
  readonly native: number;
  readonly emulated: number;
  readonly on_host: number;
  readonly refused: number;
  readonly unjudged: number;
}

/** A node. What is unknown, or does not apply to its kind, is None; what a program that did not run has no time. */
export interface GraphNode {
  readonly key: string;
  readonly name: string;
  readonly kind: 'line' | 'scope' | 'op' | 'hub' | 'rest' | 'outside';
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly line_key: string | null;
  readonly function: string;
  readonly phase: Phase | null;
  readonly self_ps: number | null;
  readonly share_ratio: number | null;
  readonly executions: number | null;
  readonly opcode: string;
  readonly primitive: string;
  readonly shape: string;
  readonly scope: string;
  readonly ops: number;
  readonly repeated: number;
  readonly trip_count: number | null;
  readonly is_open: boolean;
  readonly can_open: boolean;
  readonly is_hub: boolean;
  readonly parent: string | null;
  readonly producers: number;
  readonly consumers: number;
  readonly distance: number | null;
  readonly bytes: number | null;
  readonly padded_bytes: number | null;
  readonly padding_bytes: number | null;
  readonly padding_ratio: number | null;
  readonly memory_at_peak_bytes: number | null;
  readonly basis: 'measured' | 'estimated' | 'predicted' | null;
  readonly compatibility: Compatibility | null;
  readonly left_out: number;
}

/** What one node hands another: ``bytes`` in one run of what they are in, over ``count`` edges between ops. */
export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  readonly bytes: number | null;
  readonly kind: 'data' | 'inside';
  readonly count: number;
}

/** A step of the way to where something is: the program, whose key opens nothing, or an op that calls others. */
export interface Breadcrumb {
  readonly key: string;
  readonly name: string;
  readonly trip_count: number | null;
}

/** What a search found: an op, the way to it from the program, and what is to be opened on it, outermost first. */
export interface GraphHit {
  readonly key: string;
  readonly name: string;
  readonly opcode: string;
  readonly shape: string;
  readonly scope: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly phase: Phase | null;
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly open: readonly string[];
}

/** Nodes and edges of a level, never more than `MOST_NODES`; ``left_out`` is how many nodes there was no room for. */
export interface Graph {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly level: GraphLevel;
  readonly program: string | null;
  readonly programs: readonly GraphProgram[];
  readonly extent: ExtentRecord;
  readonly op_time_ps: number | null;
  readonly unattributed_ps: number | null;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly center: string | null;
  readonly radius: number | null;
  readonly route: readonly string[];
  readonly hits: readonly GraphHit[];
  readonly hits_left_out: number;
  readonly overlays: readonly ('time' | 'bytes' | 'padding' | 'memory' | 'compatibility')[];
  readonly left_out: number;
}

export type FlameMeasure = 'op-time' | 'wall-time' | 'flops' | 'memory';

/** What is measured, and of which frames, device and scope; memory is that of the peak in any scope. */
export interface FlameOptions {
  readonly measure?: FlameMeasure;
  readonly libraries?: boolean;
  readonly device?: string | null;
  readonly scope?: Scope | null;
}

export type ComparedUnit = 'ps' | 'flops' | 'bytes';

export type FlameKind = 'frame' | 'library' | 'without-source';

/** The part of a row's inclusive value that belongs to one phase. */
export interface FlamePhase {
  readonly phase: Phase;
  readonly value: number;
}

/** An op that was traced on a row's line itself, by the row's stack; ``value`` is its part of the row's. */
export interface FlameOp {
  readonly key: string;
  readonly name: string;
  readonly primitive: string;
  readonly phase: Phase;
  readonly value: number;
}

/** A frame below the frames that called it; the same line under other callers is another row. */
export interface FlameRow {
  readonly key: string;
  readonly parent: string | null;
  readonly kind: FlameKind;
  readonly line_key: string | null;
  readonly function: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly is_library: boolean;
  readonly start_ps: number | null;
  readonly self_ps: number;
  readonly inclusive_ps: number;
  readonly self_value: number;
  readonly inclusive_value: number;
  readonly phases: readonly FlamePhase[];
  readonly ops: readonly FlameOp[];
}

/** The flame graph of a profile. Callers come before the frames that they call, and among those the largest first. */
export interface FlameRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly op_time_ps: number;
  readonly measure: FlameMeasure;
  readonly unit: ComparedUnit;
  readonly total: number;
  readonly extent: ExtentRecord;
  readonly rows: readonly FlameRow[];
}

/** Which device. */
export interface RooflineOptions {
  readonly device?: string | null;
  readonly scope?: Scope | null;
}

/** The roof of one element type and memory space. ``ridge_flops_per_byte`` is where the two limits meet. */
export interface RooflineRoof {
  readonly element_type: string;
  readonly space: string;
  readonly flops_per_s: number;
  readonly bytes_per_s: number;
  readonly ridge_flops_per_byte: number;
}

/** A point: an op (``op_key`` is its `OpRow.key`), or a program, in one memory space. */
export interface RooflineRow {
  readonly key: string;
  readonly kind: 'op' | 'program';
  readonly label: string;
  readonly space: string;
  readonly element_type: string;
  readonly self_ps: number;
  readonly share_ratio: number;
  readonly flops: number;
  readonly bytes: number;
  readonly intensity_flops_per_byte: number;
  readonly flops_per_s: number;
  readonly bytes_per_s: number;
  readonly limit_flops_per_s: number | null;
  readonly efficiency_ratio: number | null;
  readonly bound_by: string | null;
  readonly category: string;
  readonly op_key: string | null;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly findings: readonly Finding[];
  readonly utilisation_is_least: boolean;
  readonly primitive: string;
  readonly phase: Phase | null;
  readonly program_id: string;
}

/** How fast bytes of a memory ``space`` move where ``source`` holds them: ``caches``. */
export interface RooflineCeiling {
  readonly source: 'caches';
  readonly space: string;
  readonly bytes_per_s: number;
}

/** Points, roofs, and ceilings above the slopes of the roofs, over the ``extent``. */
export interface RooflineRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly extent: ExtentRecord;
  readonly op_time_ps: number;
  readonly unknown_ps: number;
  readonly roofs: readonly RooflineRoof[];
  readonly peaks: readonly PeakRecord[];
  readonly rows: readonly RooflineRow[];
  readonly ceilings: readonly RooflineCeiling[];
}

/** What to hold padding against, and what of the run to look at. */
export interface PaddingOptions {
  readonly target?: string | null;
  readonly scope?: Scope | null;
}

/** One dimension: its size, its size rounded up, the multiple that it is rounded up to, and what it is for. */
export interface DimensionPadding {
  readonly size: number;
  readonly padded: number;
  readonly tile: number;
  readonly role: 'batch' | 'feature' | 'spatial' | 'contracting';
}

/** One op's padding. */
export interface PaddingRow {
  readonly key: string;
  readonly line_key: string | null;
  readonly program: string;
  readonly program_id: string;
  readonly op: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly shape: string;
  readonly dims: readonly DimensionPadding[];
  readonly used_ratio: number;
  readonly extra_bytes: number | null;
  readonly basis: 'layout' | 'matrix-unit';
  readonly predicted: boolean;
  readonly self_ps: number | null;
  readonly share_ratio: number | null;
  readonly inner: string | null;
  readonly primitive: string;
  readonly phase: Phase | null;
}

/** How much padding there is, that of rows which are not listed included. */
export interface PaddingTotals {
  readonly rows: number;
  readonly arrays: number;
  readonly extra_bytes: number;
  readonly fused_arrays: number;
  readonly products: number;
}

/** Every padded array and product, greatest waste first. */
export interface PaddingRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly target: string | null;
  readonly rows: readonly PaddingRow[];
  readonly totals: PaddingTotals;
  readonly extent: ExtentRecord;
  readonly matrix_unit: MatrixUnitRecord | null;
}

/** A program, function, line or scope, and how many of its ops the TPU computes, and how. */
export interface CompatibilityPlace {
  readonly key: string;
  readonly kind: 'program' | 'function' | 'line' | 'scope';
  readonly name: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly ops: number;
  readonly native: number;
  readonly emulated: number;
  readonly on_host: number;
  readonly refused: number;
  readonly unjudged: number;
  readonly valid_ratio: number;
  readonly programs: number;
  readonly outcome: 'compiled' | 'no-room' | 'refused' | 'not-lowered' | 'too-few-devices' | 'crashed' | 'memory-limit' | 'cancelled' | null;
  readonly message: string;
}

/** Ops of one kind on one line and in one scope that the TPU does not compute as they are, or nobody knows. */
export interface CompatibilityOp {
  readonly key: string;
  readonly line_key: string | null;
  readonly verdict: 'native' | 'emulated' | 'on-host' | 'refused' | 'unjudged';
  readonly primitive: string;
  readonly count: number;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string;
  readonly scope: string;
  readonly phase: Phase | null;
  readonly programs: readonly string[];
  readonly operands: readonly string[];
  readonly results: readonly string[];
  readonly parameters: string;
  readonly wide: readonly string[];
  readonly judged_by: 'kind' | 'program' | 'alone' | 'tracing' | 'nothing';
  readonly cause: 'wide-numbers' | 'complex-numbers' | 'float8-numbers' | 'callback' | 'host-compute' | 'decomposition' | 'no-lowering' | 'size-unknown' | 'value-asked' | 'block-shape' | 'vector-memory' | 'main-memory' | 'custom-call' | 'triton' | 'fft-of-doubles' | 'dot-algorithm' | 'wide-rewrite' | 'partitioning' | 'compiler-ended' | 'reference' | 'devices' | 'not-asked' | 'cancelled' | 'other';
  readonly sentence: string;
  readonly message: string;
  readonly kind_of_error: string;
}

/** What the TPU ``target`` (a ``device``) does with each op, by place, those with most that is not valid first. */
export interface CompatibilityRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly target: string;
  readonly device: string;
  readonly total: CompatibilityPlace | null;
  readonly ops: readonly CompatibilityOp[];
  readonly programs: readonly CompatibilityPlace[];
  readonly functions: readonly CompatibilityPlace[];
  readonly lines: readonly CompatibilityPlace[];
  readonly scopes: readonly CompatibilityPlace[];
}

/** ``path`` is the profile of a timeline that was opened as a file; None is the run that is shown. */
export interface TimelineOptions {
  readonly path?: string | null;
}

/** One track. ``events`` is the number of its slices (of counters: of its values); ``depths`` the number of rows */
export interface TrackRecord {
  readonly id: string;
  readonly name: string;
  readonly kind: 'steps' | 'overlap' | 'lines' | 'modules' | 'scopes' | 'ops' | 'async' | 'stream' | 'thread' | 'counter';
  readonly events: number;
  readonly depths: number | null;
  readonly work: 'python' | 'input' | 'compile' | 'transfer' | 'ops' | 'other' | null;
}

/** The tracks of one device, or of one process of a host. */
export interface SectionRecord {
  readonly id: string;
  readonly name: string;
  readonly kind: 'device' | 'host';
  readonly host: number;
  readonly tracks: readonly TrackRecord[];
}

/** Complete steps, in the order of time, and where they are known from (a name to be shown). */
export interface TimelineStepsRecord {
  readonly name: string;
  readonly start_ps: readonly number[];
  readonly duration_ps: readonly number[];
}

/** What the timeline consists of. ``busy`` is the overview for the minimap: for each device section the busy ratio */
export interface TimelineRecord {
  readonly duration_ps: number;
  readonly events: number;
  readonly sections: readonly SectionRecord[];
  readonly steps: TimelineStepsRecord | null;
  readonly busy: Readonly<Record<string, readonly number[]>>;
  readonly complete: boolean;
  readonly findings: readonly Finding[];
  readonly format_version: number;
}

/** What the panel Timeline shows. ``run`` is None where a file's run is not opened yet. */
export interface TimelineAnswer {
  readonly run: OpenedRun | null;
  readonly record: TimelineRecord;
  readonly contents: string;
}

/** Which program, and which of its memories. */
export interface ProgramMemoryOptions {
  readonly program?: string | null;
  readonly memory_space?: number | null;
}

/** A memory space that a program uses. ``number`` is the compiler's: 0 is the device's main memory. */
export interface MemorySpaceChoice {
  readonly number: number;
  readonly name: string;
  readonly peak_bytes: number | null;
}

/** A compiled program that may be shown. */
export interface MemoryModule {
  readonly key: string;
  readonly name: string;
  readonly program_id: string;
  readonly peak_bytes: number | null;
  readonly basis: 'assigned' | 'estimated' | null;
  readonly memory_spaces: readonly MemorySpaceChoice[];
  readonly op_keys: readonly string[];
}

/** Sums over the allocations of one memory space. */
export interface MemoryTotals {
  readonly argument_bytes: number;
  readonly output_bytes: number;
  readonly temporary_bytes: number;
  readonly alias_bytes: number;
  readonly constant_bytes: number;
  readonly thread_local_bytes: number;
  readonly indefinite_bytes: number;
  readonly allocated_bytes: number;
  readonly stack_bytes: number | null;
  readonly temporary_without_fragmentation_bytes: number;
  readonly fragmentation_ratio: number | null;
  readonly capacity_bytes: number | null;
  readonly capacity_basis: 'allocator' | 'compiler' | 'device' | null;
}

/** Bytes in memory before every step, and after the last; ``ops`` are the ops whose buffers the steps are of. */
export interface MemoryTimeline {
  readonly bytes: readonly number[];
  readonly unpadded_bytes: readonly number[];
  readonly ops: readonly string[];
}

/** Points ``start`` to ``end``, without ``end``, of an `ExecutionCurve` whose ops belong to one phase. */
export interface PhaseBand {
  readonly phase: Phase;
  readonly start: number;
  readonly end: number;
}

/** The same memory over the order in which ops run: one point for each op that does. */
export interface ExecutionCurve {
  readonly positions: readonly number[];
  readonly bytes: readonly number[];
  readonly unpadded_bytes: readonly number[];
  readonly ops: readonly string[];
  readonly phases: readonly PhaseBand[];
  readonly forward_start: number | null;
  readonly backward_end: number | null;
}

/** A logical buffer: the memory that an instruction's result, or a part of it, takes. */
export interface MemoryBuffer {
  readonly key: string;
  readonly id: string;
  readonly category: 'parameter' | 'output' | 'thread-local' | 'constant' | 'temporary';
  readonly bytes: number;
  readonly unpadded_bytes: number;
  readonly start: number;
  readonly end: number;
  readonly is_residual: boolean;
  readonly allocation_kind: string;
  readonly count: number;
  readonly name: string;
  readonly shape: string;
  readonly element_type: string;
  readonly op_name: string;
  readonly opcode: string;
  readonly line_key: string | null;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string | null;
  readonly allocation: number | null;
  readonly offset_bytes: number | null;
  readonly op_key: string | null;
  readonly last_op: string | null;
  readonly last_primitive: string;
  readonly last_path: string | null;
  readonly last_line: number | null;
  readonly primitive: string;
  readonly phase: Phase | null;
}

/** Every buffer of the memory space, as columns: its name as in `MemoryBuffer`, where it lies, and from which */
export interface MemoryLifetimes {
  readonly id: readonly string[];
  readonly name: readonly string[];
  readonly op_key: readonly (string | null)[];
  readonly allocation: readonly (number | null)[];
  readonly offset_bytes: readonly (number | null)[];
  readonly bytes: readonly number[];
  readonly start: readonly number[];
  readonly end: readonly number[];
}

/** The memory of one compiled program in one memory space. */
export interface MemoryViewerRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly module: string | null;
  readonly program_id: string | null;
  readonly modules: readonly MemoryModule[];
  readonly memory_space: number;
  readonly memory_space_name: string;
  readonly small_bytes: number;
  readonly basis: 'assigned' | 'estimated' | null;
  readonly peak_bytes: number | null;
  readonly peak_unpadded_bytes: number | null;
  readonly peak_position: number | null;
  readonly totals: MemoryTotals | null;
  readonly timeline: MemoryTimeline;
  readonly execution: ExecutionCurve | null;
  readonly buffers: readonly MemoryBuffer[];
  readonly lifetimes: MemoryLifetimes;
}

/** What a line of source has in memory at the peak. */
export interface MemoryLine {
  readonly key: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly function: string;
  readonly basis: 'static' | 'snapshot';
  readonly count: number;
  readonly bytes: number;
  readonly unpadded_bytes: number;
  readonly residual_bytes: number;
  readonly buffers: readonly MemoryBuffer[];
}

/** The lines that the memory of one program is for at its peak, most bytes first. */
export interface MemoryLinesRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly module: string | null;
  readonly program_id: string | null;
  readonly memory_space: number;
  readonly basis: 'assigned' | 'estimated' | null;
  readonly peak_bytes: number | null;
  readonly unattributed_bytes: number | null;
  readonly lines: readonly MemoryLine[];
}

/** Which program's lines are told; without it those of the one that fits least. */
export interface FitOptions {
  readonly program?: string | null;
}

/** Whether a program fits into the main memory of each device that it runs on, if nothing else is there. */
export interface ProgramFit {
  readonly key: string | null;
  readonly name: string;
  readonly program_id: string | null;
  readonly outcome: 'compiled' | 'no-room' | 'refused' | 'not-lowered' | 'too-few-devices' | 'crashed' | 'memory-limit' | 'cancelled' | null;
  readonly partitions: number | null;
  readonly fits: boolean | null;
  readonly needed_bytes: number | null;
  readonly available_bytes: number | null;
  readonly peak_bytes: number | null;
  readonly basis: 'assigned' | 'estimated' | null;
  readonly needed_basis: 'plan' | 'message' | null;
}

/** What an argument of a program takes at its peak: all arrays in it. */
export interface ArgumentMemory {
  readonly name: string;
  readonly arrays: number;
  readonly bytes: number;
  readonly unpadded_bytes: number;
  readonly donated_bytes: number;
  readonly largest_shape: string;
}

/** Whether each program of a run fits, and of one of them the lines, arguments and buffers at its peak. */
export interface FitRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly target: string | null;
  readonly device: string | null;
  readonly devices: number | null;
  readonly compiler: string | null;
  readonly programs: readonly ProgramFit[];
  readonly module: string | null;
  readonly program_id: string | null;
  readonly basis: 'assigned' | 'estimated' | null;
  readonly peak_bytes: number | null;
  readonly rest_bytes: number | null;
  readonly lines: readonly MemoryLine[];
  readonly arguments: readonly ArgumentMemory[];
  readonly buffers: readonly MemoryBuffer[];
  readonly savings: readonly Advice[];
}

/** ``path`` is a snapshot of memory that was opened as a file; None is the run that is shown, which stays so. */
export interface MemoryProfileOptions {
  readonly path?: string | null;
}

/** What a memory held at a moment. */
export interface MemorySample {
  readonly time_ps: number;
  readonly stack_bytes: number | null;
  readonly heap_bytes: number;
  readonly free_bytes: number | null;
  readonly fragmentation_ratio: number | null;
  readonly activity: 'allocation' | 'deallocation' | null;
  readonly requested_bytes: number | null;
  readonly allocated_bytes: number | null;
  readonly step: string | null;
  readonly op: string | null;
  readonly region: string | null;
  readonly data_type: string | null;
  readonly shape: string | null;
}

/** A part of what was in use at the peak; ``count`` allocations of one kind together. */
export interface MemoryBreakdownRow {
  readonly op: string;
  readonly bytes: number;
  readonly basis: 'measured' | 'joined';
  readonly requested_bytes: number | null;
  readonly count: number;
  readonly region: string | null;
  readonly data_type: string | null;
  readonly shape: string | null;
  readonly line_key: string | null;
  readonly op_key: string | null;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly primitive: string;
  readonly phase: Phase | null;
  readonly findings: readonly Finding[];
}

/** A step, to be laid over the samples. */
export interface MemoryStep {
  readonly name: string;
  readonly start_ps: number;
  readonly end_ps: number;
}

/** One memory over time. */
export interface MemoryRecord {
  readonly id: string;
  readonly name: string;
  readonly kind: 'accelerator' | 'host' | 'process';
  readonly source: 'allocator events' | 'samples';
  readonly capacity_bytes: number | null;
  readonly peak_bytes: number;
  readonly peak_ps: number;
  readonly window_peak_bytes: number | null;
  readonly window_peak_ps: number | null;
  readonly lifetime_peak_bytes: number | null;
  readonly samples: readonly MemorySample[];
  readonly breakdown: readonly MemoryBreakdownRow[];
  readonly steps: readonly MemoryStep[];
  readonly sample_count: number;
}

/** The line and the function of a frame: ``path`` as `LineRecord` names it, ``file`` where it is as far as known. */
export interface FramePlace {
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly function: string;
}

/** What a snapshot has of arrays or programs made by one line. */
export interface MemorySnapshotRow {
  readonly key: string;
  readonly bytes: number;
  readonly count: number;
  readonly unknown_count: number;
  readonly kind: string;
  readonly device: string;
  readonly stack: readonly FramePlace[];
  readonly line_key: string | null;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string;
}

/** What was alive at a moment, by the lines that made it, most bytes first. */
export interface MemorySnapshot {
  readonly name: string;
  readonly time_ps: number | null;
  readonly bytes: number;
  readonly cost_ms: number | null;
  readonly rows: readonly MemorySnapshotRow[];
}

/** What took memory when there was no more, or asked for it: ``findings`` say which, and how many arrays. */
export interface OutOfMemoryCulprit {
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string;
  readonly bytes: number | null;
  readonly findings: readonly Finding[];
  readonly basis: 'compiler' | 'snapshot' | 'traceback';
}

/** A run that ended for want of memory. */
export interface OutOfMemoryRecord {
  readonly message: string;
  readonly requested_bytes: number | null;
  readonly limit_bytes: number | null;
  readonly stage: 'compile' | 'run';
  readonly culprits: readonly OutOfMemoryCulprit[];
  readonly findings: readonly Finding[];
}

/** Every memory of a run over time, its snapshots, and how it ran out of memory if it did. */
export interface MemoryProfileRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly memories: readonly MemoryRecord[];
  readonly snapshots: readonly MemorySnapshot[];
  readonly trace_ps: number | null;
  readonly out_of_memory: OutOfMemoryRecord | null;
}

/** A line on which devices waited for input in the steady steps, innermost of its stack. */
export interface InputLine {
  readonly key: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly function: string;
  readonly waiting_ps: number;
  readonly per_step_ps: number;
  readonly share_ratio: number;
  readonly basis: 'exact' | 'estimated' | null;
  readonly classes: Readonly<Partial<Record<'compile' | 'garbage-collection' | 'release' | 'input' | 'callback' | 'transfer' | 'sync' | 'dispatch' | 'python' | 'runtime' | 'untraced' | 'unknown', number>>>;
}

/** A quantity per steady step: over steps, of means over devices; and the least and greatest mean of a device. */
export interface InputSpread {
  readonly quantity: 'step' | 'idle' | 'input';
  readonly mean_ps: number;
  readonly sigma_ps: number;
  readonly least_ps: number;
  readonly greatest_ps: number;
  readonly least_device_ps: number;
  readonly greatest_device_ps: number;
}

/** A device's means per steady step; what waits for input is None where it is not known. */
export interface InputDevice {
  readonly name: string;
  readonly idle_ps: number;
  readonly input_ps: number | null;
}

/** A complete step; times but its own are means over devices, and the least and the greatest of any device. */
export interface InputStep {
  readonly start_ps: number;
  readonly duration_ps: number;
  readonly idle_ps: number;
  readonly input_ps: number | null;
  readonly least_input_ps: number | null;
  readonly greatest_input_ps: number | null;
  readonly is_steady: boolean;
  readonly launches: number;
  readonly idle_launches: number;
  readonly suspect: string | null;
}

/** What all threads of the host did of one kind in the window, each by itself; ``share_ratio`` of all kinds. */
export interface InputCategory {
  readonly work: 'enqueue' | 'preprocessing' | 'read-ahead' | 'read-on-demand' | 'other';
  readonly time_ps: number;
  readonly share_ratio: number;
  readonly threads: number;
}

/** A stage of the input in the window, over all threads. */
export interface InputStage {
  readonly key: string;
  readonly kind: 'grain' | 'tf.data' | 'data' | 'function' | 'line' | 'worker';
  readonly name: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string;
  readonly count: number | null;
  readonly total_ps: number | null;
  readonly total_ratio: number | null;
  readonly self_ps: number | null;
  readonly self_ratio: number | null;
  readonly work: 'enqueue' | 'preprocessing' | 'read-ahead' | 'read-on-demand' | 'other' | null;
  readonly threads: number;
  readonly thread_names: readonly string[];
  readonly basis: 'exact' | 'estimated' | null;
  readonly core_ratio: number | null;
  readonly self_per_step_ps: number | null;
  readonly suspect_steps: number;
}

/** A queue in which a thread was seen to wait, by its sizes whenever threads were sampled in the window. */
export interface InputQueue {
  readonly key: string;
  readonly kind: 'queue' | 'processes' | 'asyncio' | 'torch' | 'grain' | 'grain-thread' | 'grain-processes';
  readonly name: string;
  readonly capacity: number | null;
  readonly mean_held: number | null;
  readonly use_ratio: number | null;
  readonly gets: number;
  readonly empty_gets: number;
  readonly full_gets: number;
  readonly is_nearest: boolean;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly producers: readonly string[];
  readonly consumers: readonly string[];
  readonly step_held: readonly (number | null)[];
  readonly times_ps: readonly number[];
  readonly held: readonly number[];
}

/** An operation on data. ``inputs`` are the keys of those that it reads from; ``queue`` that of the queue behind it. */
export interface InputOperation {
  readonly key: string;
  readonly kind: 'grain' | 'torch' | 'tf.data' | 'threads' | 'processes' | 'tasks' | 'coroutine' | 'function' | 'line' | 'script' | 'device';
  readonly name: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly inputs: readonly string[];
  readonly queue: string | null;
  readonly stage: string | null;
  readonly self_ps: number | null;
  readonly workers: number | null;
  readonly busy_ratio: number | null;
  readonly core_ratio: number | null;
  readonly core_waiting_ratio: number | null;
  readonly thread_ids: readonly number[];
  readonly process_ids: readonly number[];
  readonly runs_in: string | null;
  readonly suspected: 'sure' | 'likely' | null;
  readonly stages: readonly string[];
  readonly suspect_steps: number;
}

/** Whether the steps wait for data, where it is made, and what is slow about it. */
export interface InputRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly input_ratio: number | null;
  readonly level: 'low' | 'moderate' | 'high' | null;
  readonly input_ps: number | null;
  readonly idle_ps: number;
  readonly wall_ps: number;
  readonly step_count: number;
  readonly steady_steps: number;
  readonly window_ps: number;
  readonly lines: readonly InputLine[];
  readonly spreads: readonly InputSpread[];
  readonly devices: readonly InputDevice[];
  readonly steps: readonly InputStep[];
  readonly categories: readonly InputCategory[];
  readonly stages: readonly InputStage[];
  readonly verdict: 'processing' | 'transfer' | 'gets' | 'loop' | 'elsewhere' | 'barely' | 'keeps-up' | 'consumer' | null;
  readonly launches: number;
  readonly idle_launches: number;
  readonly queues: readonly InputQueue[];
  readonly operations: readonly InputOperation[];
  readonly suspected: string | null;
  readonly suspected_by: 'steps' | 'loop' | 'queues' | 'work' | null;
}

/** A line of the user's on which a thread stood, innermost of its stack; ``share_ratio`` of the window. */
export interface HostLine {
  readonly key: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly function: string;
  readonly time_ps: number;
  readonly total_ps: number;
  readonly share_ratio: number;
}

/** A thread in the window. */
export interface HostThreadRecord {
  readonly key: string;
  readonly name: string;
  readonly line_id: string;
  readonly native_id: number | null;
  readonly host: number;
  readonly launches: number;
  readonly states_ps: Readonly<Partial<Record<'compile' | 'garbage-collection' | 'release' | 'input' | 'callback' | 'transfer' | 'sync' | 'dispatch' | 'python' | 'runtime' | 'untraced' | 'unknown', number>>>;
  readonly known_ps: number;
  readonly elsewhere_ps: number;
  readonly lines: readonly HostLine[];
  readonly basis: 'exact' | 'estimated' | null;
  readonly collections: number;
  readonly collecting_ps: number;
  readonly longest_collection_ps: number;
}

/** A queue in which a thread was seen to wait, and who did: threads by name, with the function that they were in. */
export interface HostQueueRecord {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly capacity: number | null;
  readonly mean_held: number | null;
  readonly least_held: number | null;
  readonly greatest_held: number | null;
  readonly readings: number;
  readonly waits: readonly string[];
}

/** A function of the user's whose lines were told apart no more, since that would have slowed the script. */
export interface DarkFunction {
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number;
  readonly function: string;
}

/** What the threads of the hosts were in, and where they stood, in a window of ``window_ps``. */
export interface HostThreadsRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly window_ps: number;
  readonly python: string | null;
  readonly threads: readonly HostThreadRecord[];
  readonly queues: readonly HostQueueRecord[];
  readonly dark: readonly DarkFunction[];
}

/** Which device is looked at. */
export interface CountersOptions {
  readonly device?: string | null;
}

/** A counter: its mean while ops ran and over all that was sampled, its least and greatest, a value each */
export interface CounterMetric {
  readonly name: string;
  readonly unit: string;
  readonly mean_busy: number | null;
  readonly mean: number | null;
  readonly least: number;
  readonly greatest: number;
  readonly period_ps: number;
  readonly samples: number;
}

/** An op, or a kernel, and by counter of the record its mean while the op ran, None where nothing was sampled. */
export interface CounterRow {
  readonly key: string;
  readonly name: string;
  readonly primitive: string;
  readonly category: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly executions: number;
  readonly op_time_ps: number;
  readonly share_ratio: number;
  readonly values: readonly (number | null)[];
  readonly sampled_ratio: number;
  readonly is_short: boolean;
}

/** What devices counted while each op ran, most op time first; or, in ``findings``, why nothing was counted. */
export interface CountersRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly device: string | null;
  readonly device_names: readonly string[];
  readonly counters: readonly CounterMetric[];
  readonly rows: readonly CounterRow[];
  readonly op_time_ps: number;
}

/** Where the files of hosts are looked through that were not looked through before. */
export interface HostsOptions {
  readonly engine?: string | null;
}

/** A host, and what the steps would take less if it were like the others, by replay. */
export interface HostRow {
  readonly host: string;
  readonly devices: number;
  readonly offset_ps: number | null;
  readonly offset_error_ps: number | null;
  readonly applied_offset_ps: number;
  readonly cost_per_step_ps: number | null;
  readonly launched_late_per_step_ps: number | null;
  readonly worked_longer_per_step_ps: number | null;
  readonly wait_per_step_ps: number;
  readonly move_per_step_ps: number;
  readonly is_named: boolean;
  readonly reason: 'launched-late' | 'worked-longer' | null;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly op: string | null;
  readonly where: string | null;
  readonly excess_per_step_ps: number | null;
}

/** A core in one step; ``parts`` sum to ``duration_ps``. ``core`` is its row among the cores. */
export interface CoreStep {
  readonly core: number;
  readonly duration_ps: number;
  readonly parts: Readonly<Partial<Record<'high-flops' | 'low-flops' | 'host-transfer' | 'send' | 'recv' | 'infeed' | 'outfeed' | 'collective-move' | 'collective-wait' | 'idle', number>>>;
}

/** A step that all hosts have; ``number`` counts from 1. */
export interface HostsStep {
  readonly number: number;
  readonly start_ps: number;
  readonly duration_ps: number;
  readonly cores: readonly CoreStep[];
}

/** A core: ``id`` is that of its device in the job (None where it is not known), ``chip`` and ``core`` the numbers */
export interface CoreRow {
  readonly device: string;
  readonly host: string;
  readonly ordinal: number;
  readonly id: number | null;
  readonly chip: number | null;
  readonly core: number | null;
  readonly step_ps: number;
  readonly parts: Readonly<Partial<Record<'high-flops' | 'low-flops' | 'host-transfer' | 'send' | 'recv' | 'infeed' | 'outfeed' | 'collective-move' | 'collective-wait' | 'idle', number>>>;
  readonly cost_per_step_ps: number | null;
  readonly is_named: boolean;
}

/** Where a core is drawn: ``core`` is its row among the cores, ``slot`` its place among those of one chip. */
export interface LayoutCell {
  readonly core: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly slot: number;
}

/** One way to draw the cores: ``columns`` by ``rows`` in each of ``planes``, with ``slots`` cores at one place. */
export interface Layout {
  readonly kind: 'chips' | 'mesh' | 'hosts';
  readonly columns: number;
  readonly rows: number;
  readonly planes: number;
  readonly slots: number;
  readonly x_name: string;
  readonly y_name: string;
  readonly z_name: string;
  readonly cells: readonly LayoutCell[];
  readonly is_recorded: boolean;
}

/** A collective over all devices: means of one device and step. ``latest`` is the host that came last most often. */
export interface MetCollective {
  readonly name: string;
  readonly op: string;
  readonly kind: string;
  readonly axes: readonly string[];
  readonly participants: number;
  readonly per_step: number;
  readonly bytes: number | null;
  readonly wait_per_step_ps: number;
  readonly move_per_step_ps: number;
  readonly bytes_per_s: number | null;
  readonly latest: string;
  readonly latest_ratio: number;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** What devices send each other over one edge: means of all executions of its ``ops``, names as jax has them. */
export interface LinkRow {
  readonly source: string;
  readonly destination: string;
  readonly source_host: string;
  readonly destination_host: string;
  readonly kind: 'edge' | 'group';
  readonly ops: readonly string[];
  readonly names: readonly string[];
  readonly channels: readonly number[];
  readonly executions: number;
  readonly bytes: number | null;
  readonly best_bytes_per_s: number | null;
  readonly median_bytes_per_s: number | null;
  readonly latency_ps: number;
  readonly best_latency_ps: number;
  readonly send_delay_ps: number;
  readonly slower_ratio: number | null;
  readonly cost_per_step_ps: number | null;
  readonly is_named: boolean;
  readonly group: readonly string[];
  readonly axes: readonly string[];
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** The clock of a host: see `HostRow`. ``started_ns`` is what its profiler said when its profile began; ``meetings`` */
export interface ClockRow {
  readonly host: string;
  readonly started_ns: number | null;
  readonly offset_ps: number | null;
  readonly offset_error_ps: number | null;
  readonly applied_offset_ps: number;
  readonly meetings: number;
}

/** What each host costs the steps. */
export interface HostsRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly hosts: readonly HostRow[];
  readonly steps: readonly HostsStep[];
  readonly step_ps: number | null;
  readonly step_count: number;
  readonly cores: readonly CoreRow[];
  readonly layouts: readonly Layout[];
  readonly collectives: readonly MetCollective[];
  readonly executions: number;
  readonly instances: number;
  readonly complete_instances: number;
  readonly links: readonly LinkRow[];
  readonly clocks: readonly ClockRow[];
}

/** What devices sent each other: each edge, and each group of a collective of several devices. */
export interface LinksRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly links: readonly LinkRow[];
}

/** By how much the clocks of hosts differ, held against the first one's. */
export interface ClocksRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly clocks: readonly ClockRow[];
  readonly is_consistent: boolean;
}

/** A quantity over time: ``values`` are its means between neighbours of the record's ``edges_ps``. */
export interface ResourceSeries {
  readonly key: string;
  readonly quantity: 'cpu_user_ratio' | 'cpu_system_ratio' | 'cpu_iowait_ratio' | 'cpu_stolen_ratio' | 'cpu_idle_ratio' | 'running_threads' | 'blocked_threads' | 'switches_per_s' | 'cpu_pressure_ratio' | 'io_pressure_ratio' | 'memory_pressure_ratio' | 'throttled_ratio' | 'process_core_ratio' | 'thread_core_ratio' | 'thread_waiting_ratio' | 'available_bytes' | 'process_resident_bytes' | 'disk_read_bytes_per_s' | 'disk_written_bytes_per_s' | 'network_received_bytes_per_s' | 'network_sent_bytes_per_s' | 'device_busy_ratio' | 'device_used_bytes';
  readonly name: string;
  readonly number: number;
  readonly is_rest: boolean;
  readonly pid: number | null;
  readonly is_main: boolean;
  readonly values: readonly (number | null)[];
  readonly step_values: readonly (number | null)[];
  readonly steps_mean: number | null;
  readonly window_mean: number | null;
  readonly run_mean: number | null;
}

/** A complete step, to be laid over the series. */
export interface ResourceStep {
  readonly name: string;
  readonly start_ps: number;
  readonly end_ps: number;
}

/** The script's process, or one that came of it, such as a worker that loads data. */
export interface ResourceProcess {
  readonly key: string;
  readonly name: string;
  readonly pid: number;
  readonly parent_pid: number | null;
  readonly started_ps: number;
  readonly ended_ps: number | null;
  readonly threads: number;
  readonly core_ratio: number;
  readonly user_ratio: number | null;
  readonly system_ratio: number | null;
  readonly waiting_ratio: number | null;
  readonly resident_bytes: number | null;
  readonly read_bytes_per_s: number | null;
  readonly written_bytes_per_s: number | null;
  readonly steps_cpu_ps: number | null;
  readonly window_cpu_ps: number | null;
  readonly run_cpu_ps: number;
  readonly steps_waiting_ps: number | null;
  readonly window_waiting_ps: number | null;
  readonly run_waiting_ps: number | null;
  readonly works_for: readonly string[];
}

/** A thread. ``tid`` is the system's number of it, ``works_for`` are the operations on data that it works for. */
export interface ResourceThread {
  readonly key: string;
  readonly name: string;
  readonly tid: number | null;
  readonly number: number;
  readonly pid: number;
  readonly process: string;
  readonly core_ratio: number;
  readonly waiting_ratio: number | null;
  readonly switches_per_s: number | null;
  readonly steps_cpu_ps: number | null;
  readonly window_cpu_ps: number | null;
  readonly run_cpu_ps: number;
  readonly steps_waiting_ps: number | null;
  readonly window_waiting_ps: number | null;
  readonly run_waiting_ps: number | null;
  readonly works_for: readonly string[];
}

/** An accelerator of the machine, whoever uses it: its means over the record's ``span``, and most used memory. */
export interface ResourceDevice {
  readonly key: string;
  readonly kind: 'gpu' | 'tpu';
  readonly index: number;
  readonly name: string;
  readonly busy_ratio: number | null;
  readonly used_bytes: number | null;
  readonly total_bytes: number | null;
}

/** What was read of a host while a script ran, over time and in sum. */
export interface ResourcesRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly cores: number | null;
  readonly usable_cores: number | null;
  readonly memory_bytes: number | null;
  readonly readings: number;
  readonly period_ps: number | null;
  readonly reading_ratio: number | null;
  readonly span: 'steps' | 'window' | 'run';
  readonly span_ps: number;
  readonly window_ps: number | null;
  readonly edges_ps: readonly number[];
  readonly series: readonly ResourceSeries[];
  readonly steps: readonly ResourceStep[];
  readonly processes: readonly ResourceProcess[];
  readonly threads: readonly ResourceThread[];
  readonly devices: readonly ResourceDevice[];
}

export type ComparedBy = 'line' | 'op' | 'scope' | 'step' | 'memory' | 'shape';

/** What the rows of a comparison are to be. Progress and cancellation as the protocol has them. */
export interface ComparisonOptions {
  readonly by?: ComparedBy;
  readonly workDoneToken?: string | number | null;
}

/** One side of a comparison: a run, or several rounds of one script. */
export interface ComparedSide {
  readonly name: string;
  readonly runs: readonly string[];
  readonly revision: string | null;
  readonly script: string | null;
  readonly devices: number;
  readonly device: string;
  readonly jax: string | null;
  readonly step_durations_ps: readonly (readonly number[])[];
}

export type RowKind = 'line' | 'op' | 'scope' | 'part' | 'argument' | 'shape' | 'rest';

export type PairedBy = 'text' | 'place' | 'function' | 'name';

export type Verdict = 'worse' | 'better' | 'same' | 'cannot-tell' | 'only-before' | 'only-after';

export type JudgedBy = 'exact' | 'device-time' | 'cpu-time' | 'wall-clock';

/** A row of both sides; ``path`` and ``line`` are where it is after or, of what is only before, where it was. */
export interface ComparedRow {
  readonly key: string;
  readonly kind: RowKind;
  readonly label: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string;
  readonly before_key: string | null;
  readonly after_key: string | null;
  readonly before_path: string | null;
  readonly before_line: number | null;
  readonly paired_by: PairedBy | null;
  readonly verdict: Verdict;
  readonly judged_by: JudgedBy;
  readonly before_file: string | null;
  readonly phase: Phase | null;
  readonly before_ps: number | null;
  readonly after_ps: number | null;
  readonly change_ps: number | null;
  readonly change_ratio: number | null;
  readonly interval_ps: readonly [number, number] | null;
  readonly visible_ps: number | null;
  readonly interval_cpu_ps: readonly [number, number] | null;
  readonly visible_cpu_ps: number | null;
  readonly judged_change_ratio: number | null;
  readonly judged_interval: readonly [number, number] | null;
  readonly visible_ratio: number | null;
  readonly controlled: boolean;
  readonly before_cpu_ps: number | null;
  readonly after_cpu_ps: number | null;
  readonly change_cpu_ps: number | null;
  readonly before_bytes: number | null;
  readonly after_bytes: number | null;
  readonly change_bytes: number | null;
  readonly before_flops: number | null;
  readonly after_flops: number | null;
  readonly flops_are_estimated: boolean;
  readonly before_executions: number | null;
  readonly after_executions: number | null;
}

/** Sums of the rows: of times, or of bytes at the peak, whichever the rows have. */
export interface ComparedTotals {
  readonly before_ps: number | null;
  readonly after_ps: number | null;
  readonly change_ps: number | null;
  readonly paired_before_ps: number | null;
  readonly paired_after_ps: number | null;
  readonly only_before_ps: number | null;
  readonly only_after_ps: number | null;
  readonly before_bytes: number | null;
  readonly after_bytes: number | null;
  readonly change_bytes: number | null;
  readonly paired_ratio: number | null;
}

export type QuantityName = 'step' | 'device-time' | 'cpu-time' | 'waiting' | 'predicted-step' | 'flops' | 'bytes' | 'ops' | 'compilations' | 'programs' | 'padding' | 'planned-peak' | 'collective-bytes';

export type QuantityKind = 'exact' | 'steady' | 'noisy';

/** One figure of whole runs: mean over the rounds, and each of them. */
export interface ComparedQuantity {
  readonly name: QuantityName;
  readonly kind: QuantityKind;
  readonly unit: 'ps' | 'bytes' | 'flops' | 'count' | 'ratio';
  readonly before: number | null;
  readonly after: number | null;
  readonly change: number | null;
  readonly change_ratio: number | null;
  readonly verdict: Verdict;
  readonly interval: readonly [number, number] | null;
  readonly visible_ratio: number | null;
  readonly before_rounds: readonly (number | null)[];
  readonly after_rounds: readonly (number | null)[];
}

/** Two runs, or several rounds of two, row by row; those whose time or bytes changed most come first. */
export interface ComparisonRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly by: ComparedBy;
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  readonly rounds: number;
  readonly has_steps: boolean;
  readonly is_paired_in_rounds: boolean;
  readonly rows: readonly ComparedRow[];
  readonly totals: ComparedTotals;
  readonly quantities: readonly ComparedQuantity[];
}

/** A column: its name with its unit, the type of its values, and a sentence. */
export interface SchemaColumn {
  readonly name: string;
  readonly kind: 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'BOOLEAN';
  readonly sentence: string;
}

/** A table and its columns; ``for_people`` is the view of it with times in milliseconds, None without times. */
export interface SchemaTable {
  readonly name: string;
  readonly sentence: string;
  readonly for_people: string | null;
  readonly columns: readonly SchemaColumn[];
}

/** A question and the query that answers it. */
export interface QueryExample {
  readonly question: string;
  readonly query: string;
}

/** All that can be asked about, and examples. ``is_installed``: what answers is there; ``requirement`` names it. */
export interface QuerySchema {
  readonly tables: readonly SchemaTable[];
  readonly examples: readonly QueryExample[];
  readonly is_installed: boolean;
  readonly requirement: string;
  readonly findings: readonly Finding[];
  readonly format_version: number;
}

/** ``key`` is that of an `OpRow`. An op that did not run in the scope is looked for in the whole window. */
export interface OpCardOptions {
  readonly key: string;
  readonly device?: string | null;
  readonly target?: string | null;
  readonly scope?: Scope | null;
}

/** An operand or the result of an op: ``role`` is ``result`` or the operand's name. */
export interface ArrayRecord {
  readonly role: string;
  readonly shape: string;
  readonly layout: string;
  readonly space: string;
  readonly bytes: number;
  readonly padded_bytes: number;
  readonly dims: readonly DimensionPadding[];
  readonly used_ratio: number;
  readonly predicted: boolean;
}

/** An instruction inside a fusion, and the share of the fusion's time that it is estimated to have taken. */
export interface OpElementRecord {
  readonly name: string;
  readonly opcode: string;
  readonly primitive: string;
  readonly shape: string;
  readonly flops: number | null;
  readonly share_ratio: number | null;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** An op on one host, or on one device where all are of one host: means of a step and a device. */
export interface OpOnHost {
  readonly name: string;
  readonly executions: number;
  readonly self_ps: number;
  readonly wait_ps: number | null;
  readonly move_ps: number | null;
}

/** Everything that is known of one op. ``expression`` is its HLO as text; ``stack`` is innermost first; ``hosts`` */
export interface OpCardRecord {
  readonly op: OpRow;
  readonly peak: PeakRecord | null;
  readonly expression: string;
  readonly arrays: readonly ArrayRecord[];
  readonly matrix_unit: readonly PaddingRow[];
  readonly elements: readonly OpElementRecord[];
  readonly stack: readonly FramePlace[];
  readonly counters: Readonly<Record<string, string>>;
  readonly hosts: readonly OpOnHost[];
  readonly format_version: number;
}

/** Which program position of what a `MemoryViewerRecord` shows. */
export interface MemoryAtOptions {
  readonly position: number;
  readonly program?: string | null;
  readonly memory_space?: number | null;
}

/** What is in memory at one position, largest first; nothing is put together. */
export interface LiveAtRecord {
  readonly position: number;
  readonly bytes: number;
  readonly unpadded_bytes: number;
  readonly change_bytes: number;
  readonly op: string;
  readonly op_name: string;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly phase: Phase;
  readonly op_key: string | null;
  readonly buffers: readonly MemoryBuffer[];
  readonly primitive: string;
  readonly format_version: number;
}

/** Asks a query, of whose answer the first ``rows`` are wanted. To cancel the request ends the query. */
export interface AskQuery {
  readonly query: string;
  readonly rows?: number;
}

/** A column: ``unit`` is what its name ends in, None where it says none. */
export interface AnswerColumn {
  readonly name: string;
  readonly kind: 'integer' | 'number' | 'boolean' | 'text';
  readonly unit: 'ps' | 'ms' | 'bytes' | 'flops' | 'ratio' | 'per_s' | null;
}

/** The first rows that a query found. ``left_out`` more there are, None where these were not counted (``is_cut``). */
export interface QueryAnswer {
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  readonly is_cut: boolean;
  readonly left_out: number | null;
  readonly took_ms: number;
  readonly format_version: number;
}

export type Why = 'missing' | 'refused' | 'wrong' | 'time' | 'memory' | 'cancelled';

/** The answer, or ``why`` there is none and a ``sentence`` on it; None each of what there is not. */
export interface QueryOutcome {
  readonly answer: QueryAnswer | null;
  readonly why: Why | null;
  readonly sentence: string | null;
  readonly files: Readonly<Record<string, string>>;
}

/** Asks for the text around a line of both sides. Files are as rows of the comparison name them; None of a side that */
export interface ComparedLinesOptions {
  readonly before_file?: string | null;
  readonly before_line?: number | null;
  readonly after_file?: string | null;
  readonly after_line?: number | null;
}

/** A line of the recorded sources: of both, where it is unchanged, or of one. */
export interface ComparedLine {
  readonly before_line: number | null;
  readonly after_line: number | null;
  readonly text: string;
}

/** The lines around one, in the order of a patch; none where no run keeps a copy of the file. */
export interface ComparedLines {
  readonly lines: readonly ComparedLine[];
}

/** Asks for the memory of the program that needs most, on both sides. */
export type ComparedMemoryOptions = Readonly<Record<string, never>>;

/** Bytes in memory over what runs, one after the other; ``peak_bytes`` is the planned peak of the ``program``. */
export interface ComparedCurve {
  readonly program: string;
  readonly peak_bytes: number | null;
  readonly bytes: readonly number[];
}

/** The memory of both sides, of their first rounds; None where nothing is known of it. */
export interface ComparedMemory {
  readonly before: ComparedCurve | null;
  readonly after: ComparedCurve | null;
}

export type ComparedView = 'op-profile' | 'flame' | 'graph' | 'buffers' | 'snapshot' | 'stages' | 'variants';

export type ComparedNodeKind = 'total' | 'category' | 'program' | 'scope' | 'line' | 'op' | 'element' | 'idle' | 'frame' | 'library' | 'without-source' | 'rest' | 'buffer' | 'alive' | 'stage' | 'variant';

/** A node of both trees, or of one; ``before`` + ``change`` = ``after``, and None counts as nothing. */
export interface ComparedNode {
  readonly key: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly kind: ComparedNodeKind;
  readonly label: string;
  readonly verdict: Verdict;
  readonly judged_by: JudgedBy;
  readonly before: number | null;
  readonly after: number | null;
  readonly change: number;
  readonly before_self: number | null;
  readonly after_self: number | null;
  readonly change_ratio: number | null;
  readonly judged_change_ratio: number | null;
  readonly interval: readonly [number, number] | null;
  readonly visible: number | null;
  readonly paired_by: PairedBy | null;
  readonly before_key: string | null;
  readonly op_key: string | null;
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string;
  readonly category: string;
  readonly primitive: string;
  readonly phase: Phase | null;
}

/** A view of two runs node by node, each after the one above it. At every node children and what it has itself sum */
export interface ComparedTreeRecord {
  readonly findings: readonly Finding[];
  readonly predicted_for: string | null;
  readonly predicted_devices: number | null;
  readonly format_version: number;
  readonly view: ComparedView;
  readonly unit: ComparedUnit;
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  readonly rounds: number;
  readonly has_steps: boolean;
  readonly is_whole: boolean;
  readonly total_before: number;
  readonly total_after: number;
  readonly nodes: readonly ComparedNode[];
  readonly whole: ComparedNode | null;
}

export type ComparedList = 'buffers' | 'snapshot' | 'stages' | 'variants';

/** Which table; of buffers also of which program, and in which of its memories, as its view is asked; of what was */
export interface ComparedListOptions {
  readonly of: ComparedList;
  readonly program?: string | null;
  readonly memory_space?: number | null;
  readonly snapshot?: string | null;
}

/** Selects events: those whose name or display name matches ``text``, with ``arguments`` also those with */
export interface TimelineMatcher {
  readonly text: string | null;
  readonly regex: boolean;
  readonly arguments: boolean;
  readonly op_key: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** Asks what to draw of ``tracks`` (their ids), of each at most ``depths`` rows, between two times. With a matcher */
export interface WindowOptions {
  readonly path?: string | null;
  readonly tracks: readonly string[];
  readonly depths: readonly number[];
  readonly start_ps: number;
  readonly end_ps: number;
  readonly width_px: number;
  readonly matcher?: TimelineMatcher | null;
}

/** A track of a window: the rows that it takes in all, and the exact busy time of its slices inside the window */
export interface WindowTrack {
  readonly id: string;
  readonly depths: number;
  readonly busy_ps: number;
  readonly ready: boolean;
}

/** Packed columns of a window, base64 of little-endian values one column after the other, in this order: */
export interface WindowRows {
  readonly rows: number;
  readonly boxes: number;
  readonly merged: number;
  readonly has_matches: boolean;
  readonly packed: string;
}

/** A counter in a window: base64 of little-endian float64 ``start_ps`` (from the window's start), ``least`` and */
export interface CounterRecord {
  readonly track: string;
  readonly unit: string;
  readonly points: number;
  readonly least: number;
  readonly greatest: number;
  readonly packed: string;
}

/** What to draw between ``start_ps`` and ``end_ps`` on ``width_px`` pixels. ``merged_px`` is how many pixels slices */
export interface WindowRecord {
  readonly start_ps: number;
  readonly end_ps: number;
  readonly width_px: number;
  readonly merged_px: number;
  readonly tracks: readonly WindowTrack[];
  readonly boxes: WindowRows;
  readonly counters: readonly CounterRecord[];
}

/** Asks for the names of slices by the ids that windows carry. */
export interface NamesOptions {
  readonly path?: string | null;
  readonly ids: readonly number[];
}

/** What an op is in jax, its line and phase: an empty text, or None each, where that is not known. */
export interface OpInJax {
  readonly primitive: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly phase: Phase | null;
}

/** Names of slices by the ids that were asked for, what they are shown as, and what all ops of such a name are. */
export interface TimelineNames {
  readonly names: readonly string[];
  readonly shown: readonly string[];
  readonly ops: readonly (OpInJax | null)[];
}

/** Asks which events a matcher means; ``at_ps`` is where the user looks. None of ``tracks`` means all of them. */
export interface FindOptions {
  readonly path?: string | null;
  readonly matcher: TimelineMatcher;
  readonly at_ps?: number;
  readonly tracks?: readonly string[] | null;
}

/** What a matcher means: how many events, of which tracks, and when. */
export interface FoundRecord {
  readonly count: number;
  readonly tracks: Readonly<Record<string, number>>;
  readonly marks: readonly number[];
  readonly ordinal: number;
  readonly searched_ratio: number;
  readonly failure: string | null;
  readonly findings: readonly Finding[];
  readonly kind: 'events' | 'executions' | 'gaps';
  readonly lead: number;
}

/** Asks for one event that a matcher means, by its place among them all in the order of their start. */
export interface FoundEventOptions {
  readonly path?: string | null;
  readonly matcher: TimelineMatcher;
  readonly ordinal: number;
  readonly tracks?: readonly string[] | null;
}

/** Where an event is. */
export interface EventPlace {
  readonly track: string;
  readonly event: number;
  readonly depth: number;
  readonly start_ps: number;
  readonly duration_ps: number;
  readonly name: string;
}

/** Asks for an event by its number, or by a depth of a track and a time in it: the nearest where none is there. */
export interface EventOptions {
  readonly path?: string | null;
  readonly track: string;
  readonly event?: number | null;
  readonly depth?: number;
  readonly at_ps?: number;
}

/** One argument of an event, as the profile has it. */
export interface ArgumentRecord {
  readonly name: string;
  readonly value: string;
}

/** An event that this one led to (``outgoing``) or came from; ``op`` is None where it is no op. */
export interface FlowRecord {
  readonly outgoing: boolean;
  readonly place: EventPlace;
  readonly shown_name: string;
  readonly op: OpInJax | null;
}

/** One frame of a source stack. ``file`` is where it is, as far as known; ``user`` whether it is the user's code. */
export interface FrameRecord {
  readonly path: string;
  readonly file: string | null;
  readonly line: number;
  readonly function: string;
  readonly user: boolean;
}

/** What of a gap is of one class on one line. Of no line ``place`` is None, and ``basis`` with it. */
export interface GapPart {
  readonly waiting_class: 'compile' | 'garbage-collection' | 'release' | 'input' | 'callback' | 'transfer' | 'sync' | 'dispatch' | 'python' | 'runtime' | 'untraced' | 'unknown';
  readonly time_ps: number;
  readonly place: FramePlace | null;
  readonly basis: 'exact' | 'estimated' | null;
}

/** Why a device was idle, and what ended it. */
export interface GapRecord {
  readonly parts: readonly GapPart[];
  readonly exposed_by: FramePlace | null;
  readonly ended_by: FlowRecord | null;
  readonly launched_by: FlowRecord | null;
}

/** Everything that is known of one event. ``explanation`` says in words what a characteristic event is (a wait for */
export interface EventRecord {
  readonly place: EventPlace;
  readonly shown_name: string;
  readonly self_ps: number;
  readonly step: number | null;
  readonly program: string | null;
  readonly run_id: string | null;
  readonly category: string | null;
  readonly colour: 'forward' | 'backward' | 'recompute' | 'optimizer' | 'communication' | 'transfer' | 'idle' | 'other' | 'host';
  readonly op_key: string | null;
  readonly op_name: string | null;
  readonly shapes: string | null;
  readonly findings: readonly Finding[];
  readonly arguments: readonly ArgumentRecord[];
  readonly flows: readonly FlowRecord[];
  readonly frames: readonly FrameRecord[];
  readonly primitive: string;
  readonly phase: Phase | null;
  readonly gap: GapRecord | null;
}

/** Asks for the first gap that begins after a time, or the last before it, of the device of a section. */
export interface GapOptions {
  readonly path?: string | null;
  readonly section?: string | null;
  readonly at_ps?: number;
  readonly is_after?: boolean;
}

/** A gap of a device, None where it has none of ``least_ps`` or more; ``device`` is the name of its section. */
export interface GapFound {
  readonly place: EventPlace | null;
  readonly device: string;
  readonly least_ps: number;
}

/** Asks for the slices that touch a span of time on ``tracks``. */
export interface SelectionOptions {
  readonly path?: string | null;
  readonly tracks: readonly string[];
  readonly start_ps: number;
  readonly end_ps: number;
}

/** The slices of one name in a selection. Times are of the parts inside it, the ratio is of the sum of them all. */
export interface SelectedName {
  readonly name: string;
  readonly shown_name: string;
  readonly count: number;
  readonly total_ps: number;
  readonly self_ps: number;
  readonly mean_ps: number;
  readonly least_ps: number;
  readonly greatest_ps: number;
  readonly share_ratio: number;
  readonly findings: readonly Finding[];
  readonly op: OpInJax | null;
}

/** The slices that touch a span of time on some tracks, by name, longest total first. ``names`` counts all names, */
export interface SelectionRecord {
  readonly start_ps: number;
  readonly end_ps: number;
  readonly count: number;
  readonly total_ps: number;
  readonly names: number;
  readonly rows: readonly SelectedName[];
  readonly findings: readonly Finding[];
}

/** Asks for the events of a span of time as rows of a table: ``count`` of them from the ``first`` on. */
export interface EventTableOptions {
  readonly path?: string | null;
  readonly tracks: readonly string[];
  readonly start_ps: number;
  readonly end_ps: number;
  readonly first: number;
  readonly count: number;
}

/** One event as a row of the table twin; ``op`` is None where it is no op. */
export interface TableRow {
  readonly place: EventPlace;
  readonly shown_name: string;
  readonly self_ps: number;
  readonly op: OpInJax | null;
}

/** The events of a span of time on some tracks by start, from ``first`` on; ``count`` is how many there are. */
export interface EventTable {
  readonly count: number;
  readonly first: number;
  readonly rows: readonly TableRow[];
}

export type AnnotationState = 'current' | 'stale';

/** What one line of the present text carries. */
export interface Annotation {
  readonly line: number;
  readonly recorded_line: number;
  readonly text: string;
  readonly compact: string | null;
  readonly heat: number;
  readonly state: AnnotationState;
  readonly share_ratio: number;
  readonly inclusive: boolean;
  readonly quiet: boolean;
}

/** Notification: the annotations of one document, replacing those before; for the text of that version. */
export interface Annotations {
  readonly uri: string;
  readonly version: number | null;
  readonly annotations: readonly Annotation[];
  readonly file: string | null;
}

/** Notification: the run that is shown has changed; None after it was cleared. */
export interface ShownRun {
  readonly run: OpenedRun | null;
}

/** One reading more of the job at ``path``; without one it is watched no more: ``why`` says the reason. */
export interface JobWatched {
  readonly path: string;
  readonly reading: WatchedReading | null;
  readonly why: string | null;
}

export interface Requests {
  readonly 'scopelight/runs': { readonly params: Nothing; readonly result: Runs };
  readonly 'scopelight/logDirectories': { readonly params: ListLogDirectories; readonly result: LogDirectories };
  readonly 'scopelight/openRun': { readonly params: OpenRun; readonly result: OpenedRun };
  readonly 'scopelight/closeRun': { readonly params: Nothing; readonly result: Nothing };
  readonly 'scopelight/pinRun': { readonly params: PinRun; readonly result: Nothing };
  readonly 'scopelight/captureNow': { readonly params: CaptureNow; readonly result: Nothing };
  readonly 'scopelight/captureAgain': { readonly params: CaptureAgain; readonly result: Nothing };
  readonly 'scopelight/followCapture': { readonly params: FollowCapture; readonly result: FollowedCapture };
  readonly 'scopelight/compilerState': { readonly params: Nothing; readonly result: CompilerState };
  readonly 'scopelight/installCompiler': { readonly params: InstallCompiler; readonly result: Nothing };
  readonly 'scopelight/removeCompiler': { readonly params: Nothing; readonly result: RemovedCompiler };
  readonly 'scopelight/compareTargets': { readonly params: CompareTargets; readonly result: ComparedTargets };
  readonly 'scopelight/compareWith': { readonly params: CompareWith; readonly result: ComparedWith };
  readonly 'scopelight/stopComparing': { readonly params: Nothing; readonly result: Nothing };
  readonly 'scopelight/nameTpu': { readonly params: NameTpu; readonly result: NamedTpu };
  readonly 'scopelight/localJobs': { readonly params: Nothing; readonly result: LocalJobs };
  readonly 'scopelight/captureServers': { readonly params: CaptureServers; readonly result: CapturedJobs };
  readonly 'scopelight/attachToJob': { readonly params: AttachToJob; readonly result: CapturedJobs };
  readonly 'scopelight/watchJob': { readonly params: WatchJob; readonly result: WatchedJob };
  readonly 'scopelight/leaveJob': { readonly params: Nothing; readonly result: Nothing };
  readonly 'scopelight/locateLine': { readonly params: LocateLine; readonly result: FoundLine };
  readonly 'scopelight/recordedSource': { readonly params: RecordedSource; readonly result: RecordedText };
  readonly 'scopelight/locateFolder': { readonly params: LocateFolder; readonly result: LocatedFolder };
  readonly 'scopelight/copyAsMarkdown': { readonly params: CopyLine; readonly result: Markdown };
  readonly 'scopelight/exportTimeline': { readonly params: ExportTimeline; readonly result: ExportedTimeline };
  readonly 'scopelight/writeReport': { readonly params: WriteReport; readonly result: WrittenReport };
  readonly 'scopelight/proposeBudgets': { readonly params: ProposeBudgets; readonly result: ProposedBudgets };
  readonly 'scopelight/setBudgets': { readonly params: SetBudgets; readonly result: BudgetEdits };
  readonly 'scopelight/callTool': { readonly params: CallTool; readonly result: ToolAnswer };
  readonly 'scopelight/debugInformation': { readonly params: Nothing; readonly result: DebugInformation };
  readonly 'scopelight/view/overview': { readonly params: OverviewOptions; readonly result: ViewAnswer<OverviewRecord> };
  readonly 'scopelight/view/lines': { readonly params: ScopeOptions; readonly result: LinesAnswer };
  readonly 'scopelight/view/steps': { readonly params: StepTraceOptions; readonly result: ViewAnswer<StepTraceRecord> };
  readonly 'scopelight/view/programs': { readonly params: NoOptions; readonly result: ViewAnswer<ProgramsRecord> };
  readonly 'scopelight/view/shapes': { readonly params: NoOptions; readonly result: ViewAnswer<ShapesRecord> };
  readonly 'scopelight/view/advice': { readonly params: NoOptions; readonly result: ViewAnswer<AdviceRecord> };
  readonly 'scopelight/view/ops': { readonly params: OpsOptions; readonly result: ViewAnswer<OpsRecord> };
  readonly 'scopelight/view/op-profile': { readonly params: OpProfileOptions; readonly result: ViewAnswer<OpProfileRecord> };
  readonly 'scopelight/view/flops': { readonly params: OpsOptions; readonly result: ViewAnswer<FlopsRecord> };
  readonly 'scopelight/view/graph': { readonly params: GraphOptions; readonly result: ViewAnswer<Graph> };
  readonly 'scopelight/view/flame': { readonly params: FlameOptions; readonly result: ViewAnswer<FlameRecord> };
  readonly 'scopelight/view/roofline': { readonly params: RooflineOptions; readonly result: ViewAnswer<RooflineRecord> };
  readonly 'scopelight/view/padding': { readonly params: PaddingOptions; readonly result: ViewAnswer<PaddingRecord> };
  readonly 'scopelight/view/compatibility': { readonly params: NoOptions; readonly result: ViewAnswer<CompatibilityRecord> };
  readonly 'scopelight/view/timeline': { readonly params: TimelineOptions; readonly result: TimelineAnswer };
  readonly 'scopelight/view/memory-viewer': { readonly params: ProgramMemoryOptions; readonly result: ViewAnswer<MemoryViewerRecord> };
  readonly 'scopelight/view/memory-lines': { readonly params: ProgramMemoryOptions; readonly result: ViewAnswer<MemoryLinesRecord> };
  readonly 'scopelight/view/fit': { readonly params: FitOptions; readonly result: ViewAnswer<FitRecord> };
  readonly 'scopelight/view/memory-profile': { readonly params: MemoryProfileOptions; readonly result: ViewAnswer<MemoryProfileRecord> };
  readonly 'scopelight/view/input': { readonly params: NoOptions; readonly result: ViewAnswer<InputRecord> };
  readonly 'scopelight/view/host': { readonly params: NoOptions; readonly result: ViewAnswer<HostThreadsRecord> };
  readonly 'scopelight/view/counters': { readonly params: CountersOptions; readonly result: ViewAnswer<CountersRecord> };
  readonly 'scopelight/view/hosts': { readonly params: HostsOptions; readonly result: ViewAnswer<HostsRecord> };
  readonly 'scopelight/view/links': { readonly params: HostsOptions; readonly result: ViewAnswer<LinksRecord> };
  readonly 'scopelight/view/clocks': { readonly params: HostsOptions; readonly result: ViewAnswer<ClocksRecord> };
  readonly 'scopelight/view/resources': { readonly params: NoOptions; readonly result: ViewAnswer<ResourcesRecord> };
  readonly 'scopelight/view/comparison': { readonly params: ComparisonOptions; readonly result: ViewAnswer<ComparisonRecord> };
  readonly 'scopelight/view/query': { readonly params: NoOptions; readonly result: ViewAnswer<QuerySchema> };
  readonly 'scopelight/details/opCard': { readonly params: OpCardOptions; readonly result: OpCardRecord };
  readonly 'scopelight/details/memoryAt': { readonly params: MemoryAtOptions; readonly result: LiveAtRecord };
  readonly 'scopelight/details/compared': { readonly params: ComparisonOptions; readonly result: ComparisonRecord };
  readonly 'scopelight/details/queryAnswer': { readonly params: AskQuery; readonly result: QueryOutcome };
  readonly 'scopelight/details/comparedLines': { readonly params: ComparedLinesOptions; readonly result: ComparedLines };
  readonly 'scopelight/details/comparedMemory': { readonly params: ComparedMemoryOptions; readonly result: ComparedMemory };
  readonly 'scopelight/details/comparedProfile': { readonly params: OpProfileOptions; readonly result: ComparedTreeRecord };
  readonly 'scopelight/details/comparedFlame': { readonly params: FlameOptions; readonly result: ComparedTreeRecord };
  readonly 'scopelight/details/comparedGraph': { readonly params: GraphOptions; readonly result: ComparedTreeRecord };
  readonly 'scopelight/details/comparedList': { readonly params: ComparedListOptions; readonly result: ComparedTreeRecord };
  readonly 'scopelight/details/timelineWindow': { readonly params: WindowOptions; readonly result: WindowRecord };
  readonly 'scopelight/details/timelineNames': { readonly params: NamesOptions; readonly result: TimelineNames };
  readonly 'scopelight/details/timelineFind': { readonly params: FindOptions; readonly result: FoundRecord };
  readonly 'scopelight/details/timelineFoundEvent': { readonly params: FoundEventOptions; readonly result: EventPlace };
  readonly 'scopelight/details/timelineEvent': { readonly params: EventOptions; readonly result: EventRecord };
  readonly 'scopelight/details/timelineGap': { readonly params: GapOptions; readonly result: GapFound };
  readonly 'scopelight/details/timelineSelection': { readonly params: SelectionOptions; readonly result: SelectionRecord };
  readonly 'scopelight/details/timelineTable': { readonly params: EventTableOptions; readonly result: EventTable };
}

export interface Views {
  readonly 'overview': { readonly params: OverviewOptions; readonly result: ViewAnswer<OverviewRecord> };
  readonly 'lines': { readonly params: ScopeOptions; readonly result: LinesAnswer };
  readonly 'steps': { readonly params: StepTraceOptions; readonly result: ViewAnswer<StepTraceRecord> };
  readonly 'programs': { readonly params: NoOptions; readonly result: ViewAnswer<ProgramsRecord> };
  readonly 'shapes': { readonly params: NoOptions; readonly result: ViewAnswer<ShapesRecord> };
  readonly 'advice': { readonly params: NoOptions; readonly result: ViewAnswer<AdviceRecord> };
  readonly 'ops': { readonly params: OpsOptions; readonly result: ViewAnswer<OpsRecord> };
  readonly 'op-profile': { readonly params: OpProfileOptions; readonly result: ViewAnswer<OpProfileRecord> };
  readonly 'flops': { readonly params: OpsOptions; readonly result: ViewAnswer<FlopsRecord> };
  readonly 'graph': { readonly params: GraphOptions; readonly result: ViewAnswer<Graph> };
  readonly 'flame': { readonly params: FlameOptions; readonly result: ViewAnswer<FlameRecord> };
  readonly 'roofline': { readonly params: RooflineOptions; readonly result: ViewAnswer<RooflineRecord> };
  readonly 'padding': { readonly params: PaddingOptions; readonly result: ViewAnswer<PaddingRecord> };
  readonly 'compatibility': { readonly params: NoOptions; readonly result: ViewAnswer<CompatibilityRecord> };
  readonly 'timeline': { readonly params: TimelineOptions; readonly result: TimelineAnswer };
  readonly 'memory-viewer': { readonly params: ProgramMemoryOptions; readonly result: ViewAnswer<MemoryViewerRecord> };
  readonly 'memory-lines': { readonly params: ProgramMemoryOptions; readonly result: ViewAnswer<MemoryLinesRecord> };
  readonly 'fit': { readonly params: FitOptions; readonly result: ViewAnswer<FitRecord> };
  readonly 'memory-profile': { readonly params: MemoryProfileOptions; readonly result: ViewAnswer<MemoryProfileRecord> };
  readonly 'input': { readonly params: NoOptions; readonly result: ViewAnswer<InputRecord> };
  readonly 'host': { readonly params: NoOptions; readonly result: ViewAnswer<HostThreadsRecord> };
  readonly 'counters': { readonly params: CountersOptions; readonly result: ViewAnswer<CountersRecord> };
  readonly 'hosts': { readonly params: HostsOptions; readonly result: ViewAnswer<HostsRecord> };
  readonly 'links': { readonly params: HostsOptions; readonly result: ViewAnswer<LinksRecord> };
  readonly 'clocks': { readonly params: HostsOptions; readonly result: ViewAnswer<ClocksRecord> };
  readonly 'resources': { readonly params: NoOptions; readonly result: ViewAnswer<ResourcesRecord> };
  readonly 'comparison': { readonly params: ComparisonOptions; readonly result: ViewAnswer<ComparisonRecord> };
  readonly 'query': { readonly params: NoOptions; readonly result: ViewAnswer<QuerySchema> };
}

export interface Details {
  readonly 'opCard': { readonly params: OpCardOptions; readonly result: OpCardRecord };
  readonly 'memoryAt': { readonly params: MemoryAtOptions; readonly result: LiveAtRecord };
  readonly 'compared': { readonly params: ComparisonOptions; readonly result: ComparisonRecord };
  readonly 'queryAnswer': { readonly params: AskQuery; readonly result: QueryOutcome };
  readonly 'comparedLines': { readonly params: ComparedLinesOptions; readonly result: ComparedLines };
  readonly 'comparedMemory': { readonly params: ComparedMemoryOptions; readonly result: ComparedMemory };
  readonly 'comparedProfile': { readonly params: OpProfileOptions; readonly result: ComparedTreeRecord };
  readonly 'comparedFlame': { readonly params: FlameOptions; readonly result: ComparedTreeRecord };
  readonly 'comparedGraph': { readonly params: GraphOptions; readonly result: ComparedTreeRecord };
  readonly 'comparedList': { readonly params: ComparedListOptions; readonly result: ComparedTreeRecord };
  readonly 'timelineWindow': { readonly params: WindowOptions; readonly result: WindowRecord };
  readonly 'timelineNames': { readonly params: NamesOptions; readonly result: TimelineNames };
  readonly 'timelineFind': { readonly params: FindOptions; readonly result: FoundRecord };
  readonly 'timelineFoundEvent': { readonly params: FoundEventOptions; readonly result: EventPlace };
  readonly 'timelineEvent': { readonly params: EventOptions; readonly result: EventRecord };
  readonly 'timelineGap': { readonly params: GapOptions; readonly result: GapFound };
  readonly 'timelineSelection': { readonly params: SelectionOptions; readonly result: SelectionRecord };
  readonly 'timelineTable': { readonly params: EventTableOptions; readonly result: EventTable };
}

export interface Notifications {
  readonly 'scopelight/annotations': Annotations;
  readonly 'scopelight/shownRun': ShownRun;
  readonly 'scopelight/placesChanged': Nothing;
  readonly 'scopelight/recordsChanged': Nothing;
  readonly 'scopelight/runsChanged': Nothing;
  readonly 'scopelight/jobWatched': JobWatched;
}

export type ViewId = keyof Views;

/** A view has something to show of a run that has any of its needs. */
export const views: Readonly<Record<ViewId, { readonly needs: readonly Need[] }>> = {
  'overview': { needs: ['executions'] },
  'lines': { needs: ['executions'] },
  'steps': { needs: ['executions'] },
  'programs': { needs: ['executions', 'programs'] },
  'shapes': { needs: ['executions'] },
  'advice': { needs: ['executions'] },
  'ops': { needs: ['executions', 'programs'] },
  'op-profile': { needs: ['executions'] },
  'flops': { needs: ['executions', 'programs'] },
  'graph': { needs: ['programs'] },
  'flame': { needs: ['executions', 'programs', 'memory'] },
  'roofline': { needs: ['executions'] },
  'padding': { needs: ['executions', 'programs'] },
  'compatibility': { needs: ['compatibility'] },
  'timeline': { needs: ['traces'] },
  'memory-viewer': { needs: ['programs'] },
  'memory-lines': { needs: ['programs', 'memory'] },
  'fit': { needs: ['programs'] },
  'memory-profile': { needs: ['memory'] },
  'input': { needs: ['waiting'] },
  'host': { needs: ['traces'] },
  'counters': { needs: ['executions'] },
  'hosts': { needs: ['executions'] },
  'links': { needs: ['executions'] },
  'clocks': { needs: ['executions'] },
  'resources': { needs: ['resources'] },
  'comparison': { needs: ['executions', 'programs'] },
  'query': { needs: ['executions', 'programs', 'memory', 'traces', 'resources'] },
};

export const detailsIds: readonly (keyof Details)[] = [
  'opCard',
  'memoryAt',
  'compared',
  'queryAnswer',
  'comparedLines',
  'comparedMemory',
  'comparedProfile',
  'comparedFlame',
  'comparedGraph',
  'comparedList',
  'timelineWindow',
  'timelineNames',
  'timelineFind',
  'timelineFoundEvent',
  'timelineEvent',
  'timelineGap',
  'timelineSelection',
  'timelineTable',
];

export const notificationNames: readonly (keyof Notifications)[] = [
  'scopelight/annotations',
  'scopelight/shownRun',
  'scopelight/placesChanged',
  'scopelight/recordsChanged',
  'scopelight/runsChanged',
  'scopelight/jobWatched',
];
