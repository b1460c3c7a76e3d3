import type * as vscode from 'vscode';
import type { CaptureWindow } from './launch/captureWindow';

/** What was profiled: a script, or a configuration of `launch.json`, whose values are read anew each time. */
export type Target =
  | { readonly kind: 'script'; readonly path: string }
  | { readonly kind: 'configuration'; readonly folder: string; readonly name: string };

/** What was answered for a target. `args` is the line as it was typed. */
export interface Answers {
  readonly args: string;
  readonly window: CaptureWindow;
}

/** A capture that has not ended, as far as this window got to know. */
export interface BegunCapture {
  /** Its run directory. */
  readonly path: string;
  /** What it is called on screen. */
  readonly title: string;
  /** Its process; null where that is not known. */
  readonly pid: number | null;
}

/** A profile that was opened without being a run of the workspace, and when. */
export interface OpenedProfile {
  readonly path: string;
  readonly opened: string;
}

const SHOWN_RUN = 'scopelight.shownRun';
const OPENED_PROFILES = 'scopelight.openedProfiles';
const CAPTURES = 'scopelight.captures';
const TARGETS = 'scopelight.targets';
const ANSWERS = 'scopelight.answers';
/** As many targets as are offered again. */
const MOST_TARGETS = 10;

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
}

function key(target: Target): string {
  return target.kind === 'script' ? target.path : `${target.folder}#${target.name}`;
}
