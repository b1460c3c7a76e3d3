import type * as vscode from 'vscode';
import type { CaptureWindow } from './launch/captureWindow';

/**
 * What was profiled: a script, a file as a module of its package, a configuration of `launch.json`, whose values are
 * read anew each time, or what the record of a run says that was not made here.
 */
export type Target =
  { readonly kind: 'script'; readonly path: string } | ModuleTarget | ConfigurationTarget | RecordedTarget;

/** A file as a module of its package: `root` is the folder from which its imports resolve. */
export interface ModuleTarget {
  readonly kind: 'module';
  readonly module: string;
  readonly path: string;
  readonly root: string;
}

/** A configuration of `launch.json`; `folder` is the URI of its workspace folder. */
export interface ConfigurationTarget {
  readonly kind: 'configuration';
  readonly folder: string;
  readonly name: string;
}

/** A script, or a module, as a run was started elsewhere; without an interpreter the capture chooses. */
export interface RecordedTarget {
  readonly kind: 'recorded';
  readonly script: string;
  readonly isModule: boolean;
  readonly cwd: string;
  readonly python: string | null;
  /** The folder whose `.scopelight` has the run. */
  readonly folder: string;
}

/** What was answered for a target. `args` is the line as it was typed. */
export interface Answers {
  readonly args: string;
  readonly window: CaptureWindow;
}

/** How a run was made, or is made again. */
export interface Making {
  readonly target: Target;
  readonly answers: Answers;
}

/** A capture that has not ended, as far as this window got to know. */
export interface BegunCapture {
  /** Its run directory. */
  readonly path: string;
  /** What it is called on screen. */
  readonly title: string;
  /** Its process; null where that is not known. */
  readonly pid: number | null;
  /** Whether it is not profiled, but compiled for a TPU. */
  readonly isPreflight?: boolean;
}

/** A profile that was opened without being a run of the workspace, and when. */
export interface OpenedProfile {
  readonly path: string;
  readonly opened: string;
}

/**
 * What is compared: as it was asked for, a run with what was before it (null: the folder of an experiment), and the run
 * that shows it.
 */
export interface Comparing {
  readonly run: string;
  readonly before: string | null;
  readonly shown: string;
}

const COMPARING = 'scopelight.comparing';
const SHOWN_RUN = 'scopelight.shownRun';
const OPENED_PROFILES = 'scopelight.openedProfiles';
const CAPTURES = 'scopelight.captures';
const TARGETS = 'scopelight.targets';
const ANSWERS = 'scopelight.answers';
const MAKINGS = 'scopelight.makings';
const CHANGED = 'scopelight.changedMaking';
const TPU = 'scopelight.tpu';
const COMPARED_TPUS = 'scopelight.comparedTpus';
const SWEEP = 'scopelight.sweep';
const QUERIES = 'scopelight.queries';
const ADDRESSES = 'scopelight.addresses';
/** As many addresses of servers as are offered again. */
const MOST_ADDRESSES = 10;
/** As many queries as are offered again, and of those that are no longer than this. */
const MOST_QUERIES = 30;
const LONGEST_QUERY = 20_000;
/** As many targets as are offered again. */
const MOST_TARGETS = 10;
/** As many runs as are made again exactly as they were; of older ones what their records say. */
const MOST_MAKINGS = 200;

/**
 * What Scopelight remembers in a workspace: answers that are asked once, the run that was shown, profiles that were
 * opened, captures at work.
 */
export class Remembered {
  constructor(private readonly memento: vscode.Memento) {}

  /** The path of the run that is shown. */
  get shownRun(): string | undefined {
    return this.memento.get(SHOWN_RUN);
  }

  async setShownRun(path: string | undefined): Promise<void> {
    await this.memento.update(SHOWN_RUN, path);
  }

  /** What is compared whenever its run is shown. */
  get comparing(): Comparing | undefined {
    return this.memento.get(COMPARING);
  }

  async setComparing(comparing: Comparing | undefined): Promise<void> {
    await this.memento.update(COMPARING, comparing);
  }

  /** Profiles that were opened from elsewhere, the latest first. */
  get openedProfiles(): readonly OpenedProfile[] {
    return this.memento.get<readonly OpenedProfile[]>(OPENED_PROFILES, []);
  }

  async setOpenedProfiles(profiles: readonly OpenedProfile[]): Promise<void> {
    await this.memento.update(OPENED_PROFILES, profiles);
  }

  /** Captures whose end was not told yet, the latest last; those of a window that was reloaded among them. */
  get captures(): readonly BegunCapture[] {
    return this.memento.get<readonly BegunCapture[]>(CAPTURES, []);
  }

  async setCapture(capture: BegunCapture): Promise<void> {
    const others = this.captures.filter(({ path }) => path !== capture.path);
    await this.memento.update(CAPTURES, [...others, capture]);
  }

  async forgetCapture(path: string): Promise<void> {
    await this.memento.update(
      CAPTURES,
      this.captures.filter((each) => each.path !== path),
    );
  }

  /** What was profiled, the latest first. */
  get targets(): readonly Target[] {
    return this.memento.get<readonly Target[]>(TARGETS, []);
  }

  answers(target: Target): Answers | undefined {
    return this.memento.get<Record<string, Answers>>(ANSWERS, {})[key(target)];
  }

  async setAnswers(target: Target, answers: Answers): Promise<void> {
    const all = this.memento.get<Record<string, Answers>>(ANSWERS, {});
    await this.memento.update(ANSWERS, { ...all, [key(target)]: answers });
  }

  /** Makes a target the latest. */
  async setLatest(target: Target): Promise<void> {
    const others = this.targets.filter((each) => key(each) !== key(target));
    await this.memento.update(TARGETS, [target, ...others].slice(0, MOST_TARGETS));
  }

  /** The latest target that runs a file, by its path or as a module. */
  targetOfFile(file: string): Target | undefined {
    const known = this.targets.find((each) => (each.kind === 'script' || each.kind === 'module') && each.path === file);
    const script: Target = { kind: 'script', path: file };
    return known ?? (this.answers(script) === undefined ? undefined : script);
  }

  /** How a run was made here, or is made again since its arguments were changed; undefined where that is not known. */
  making(run: string): Making | undefined {
    const changed = this.memento.get<{ readonly run: string; readonly making: Making }>(CHANGED);
    return changed?.run === run ? changed.making : this.memento.get<Record<string, Making>>(MAKINGS, {})[run];
  }

  async setMaking(run: string, making: Making): Promise<void> {
    const others = Object.entries(this.memento.get<Record<string, Making>>(MAKINGS, {}));
    const all = [...others.filter(([path]) => path !== run), [run, making] as const];
    await this.memento.update(MAKINGS, Object.fromEntries(all.slice(-MOST_MAKINGS)));
  }

  /** Makes a run again in another way, once. */
  async setChanged(run: string, making: Making): Promise<void> {
    await this.memento.update(CHANGED, { run, making });
  }

  /** Addresses of profiler servers that were captured, the latest first. */
  get addresses(): readonly string[] {
    return this.memento.get<readonly string[]>(ADDRESSES, []);
  }

  async addAddresses(addresses: readonly string[]): Promise<void> {
    const others = this.addresses.filter((each) => !addresses.includes(each));
    await this.memento.update(ADDRESSES, [...addresses, ...others].slice(0, MOST_ADDRESSES));
  }

  /** Queries that were asked, the latest first. */
  get queries(): readonly string[] {
    return this.memento.get<readonly string[]>(QUERIES, []);
  }

  async addQuery(query: string): Promise<void> {
    const text = query.trim();
    if (text === '' || text.length > LONGEST_QUERY) return;
    const others = this.queries.filter((each) => each !== text);
    await this.memento.update(QUERIES, [text, ...others].slice(0, MOST_QUERIES));
  }

  /** The TPUs that were compared last. */
  get comparedTpus(): readonly string[] {
    return this.memento.get<readonly string[]>(COMPARED_TPUS, []);
  }

  async setComparedTpus(names: readonly string[]): Promise<void> {
    await this.memento.update(COMPARED_TPUS, names);
  }

  /** The argument whose values were compared last, with them, as it was typed. */
  get sweep(): string {
    return this.memento.get(SWEEP, '');
  }

  async setSweep(text: string): Promise<void> {
    await this.memento.update(SWEEP, text);
  }

  /** The TPU that a script was compiled for last. */
  get tpu(): string | undefined {
    return this.memento.get(TPU);
  }

  async setTpu(name: string): Promise<void> {
    await this.memento.update(TPU, name);
  }

  async forgetChanged(): Promise<void> {
    await this.memento.update(CHANGED, undefined);
  }
}

function key(target: Target): string {
  switch (target.kind) {
    case 'script':
      return target.path;
    case 'module':
      return `${target.path} -m ${target.module}`;
    case 'configuration':
      return `${target.folder}#${target.name}`;
    case 'recorded':
      return JSON.stringify(target);
  }
}
