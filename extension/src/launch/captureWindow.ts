import * as vscode from 'vscode';

/** What part of a script is captured. */
export type CaptureWindow =
  | { readonly kind: 'settings' }
  | { readonly kind: 'steps'; readonly steps: number; readonly skip: number }
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'whole' };

/** Steps to capture, and steps to let pass before. */
export interface StepSettings {
  readonly steps: number;
  readonly skip: number;
}

/** The steps of the settings, for a resource. */
export function stepSettings(resource: vscode.Uri | undefined): StepSettings {
  const settings = vscode.workspace.getConfiguration('scopelight.capture', resource);
  return { steps: settings.get('steps', 5), skip: settings.get('skip', 2) };
}

/** Whether the machine may be measured after a script that ran on its CPU. */
export function calibrates(resource: vscode.Uri | undefined): boolean {
  return vscode.workspace.getConfiguration('scopelight.capture', resource).get('calibrate', true);
}

/** Whether it is recorded where the script's threads stand. */
export function recordsHost(resource: vscode.Uri | undefined): boolean {
  return vscode.workspace.getConfiguration('scopelight.capture', resource).get('host', true);
}

/** What the command line takes without an option. */
export const RESOURCES_MS = 50;

/** Milliseconds between two readings of the host's resources while a trace runs; null where they are not read. */
export function resourcesPeriod(resource: vscode.Uri | undefined): number | null {
  const settings = vscode.workspace.getConfiguration('scopelight.capture', resource);
  if (!settings.get<boolean>('resources', true)) {
    return null;
  }
  // What the command line takes: a file of settings may say anything.
  const period = Number(settings.get<unknown>('resourcesPeriod', RESOURCES_MS));
  return Number.isFinite(period) ? Math.min(Math.max(Math.round(period), 10), 60_000) : RESOURCES_MS;
}

/** The options of `scopelight run` for a window. */
export function windowOptions(window: CaptureWindow, settings: StepSettings): string[] {
  switch (window.kind) {
    case 'settings':
    case 'steps': {
      const { steps, skip } = window.kind === 'steps' ? window : settings;
      return ['--steps', String(steps), '--skip', String(skip)];
    }
    case 'seconds':
      return ['--seconds', String(window.seconds)];
    case 'whole':
      return ['--whole'];
  }
}

/** A window in words: `5 steps, skipping the first 2`. */
export function describeWindow(window: CaptureWindow, settings: StepSettings): string {
  switch (window.kind) {
    case 'settings':
    case 'steps':
      return describeSteps(window.kind === 'steps' ? window : settings);
    case 'seconds':
      return vscode.l10n.t('{0} s', window.seconds);
    case 'whole':
      return vscode.l10n.t('the whole script');
  }
}

function describeSteps({ steps, skip }: StepSettings): string {
  const captured = steps === 1 ? vscode.l10n.t('1 step') : vscode.l10n.t('{0} steps', steps);
  return skip === 0 ? captured : vscode.l10n.t('{0}, skipping the first {1}', captured, skip);
}

/** Steps as they are typed: `10`, `10 skipping 3` or `10, skipping the first 3`; undefined where it is neither. */
export function parseSteps(text: string, settings: StepSettings): CaptureWindow | undefined {
  const match = /^\s*(\d{1,6})(?:\s*\D+?\s*(\d{1,6}))?\s*$/u.exec(text);
  const steps = Number(match?.[1]);
  const skip = match?.[2] === undefined ? settings.skip : Number(match[2]);
  return match !== null && steps >= 1 ? { kind: 'steps', steps, skip } : undefined;
}

/** Seconds as they are typed, with a point or a comma; undefined where they are no time. */
export function parseSeconds(text: string): CaptureWindow | undefined {
  const match = /^\s*(\d{1,6}(?:[.,]\d+)?)\s*s?\s*$/u.exec(text);
  const seconds = Number(match?.[1]?.replace(',', '.'));
  return seconds > 0 ? { kind: 'seconds', seconds } : undefined;
}

/** Asks what part to capture; undefined where the user leaves. */
export async function askWindow(
  title: string,
  settings: StepSettings,
  before: CaptureWindow | undefined,
): Promise<CaptureWindow | undefined> {
  type Answer = CaptureWindow | undefined | Promise<CaptureWindow | undefined>;
  const windows: (vscode.QuickPickItem & { readonly answer: () => Answer })[] = [
    {
      label: describeSteps(settings),
      description: vscode.l10n.t('default'),
      detail: vscode.l10n.t('Counted when compilation has settled; a step is found by itself.'),
      answer: () => ({ kind: 'settings' }),
    },
    {
      label: vscode.l10n.t('A number of steps…'),
      answer: () =>
        askTyped(title, vscode.l10n.t('Steps to capture, for example 10, or 10 skipping 3'), (text) =>
          parseSteps(text, settings),
        ),
    },
    {
      label: vscode.l10n.t('A time in seconds…'),
      answer: () => askTyped(title, vscode.l10n.t('Seconds to capture, for example 2.5'), parseSeconds),
    },
    {
      label: vscode.l10n.t('The whole script'),
      detail: vscode.l10n.t('From the first use of jax to the end: for short scripts.'),
      answer: () => ({ kind: 'whole' }),
    },
  ];
  if (before !== undefined && before.kind !== 'settings') {
    windows.unshift({
      label: describeWindow(before, settings),
      description: vscode.l10n.t('as before'),
      answer: () => before,
    });
  }
  const picked = await vscode.window.showQuickPick(windows, {
    title,
    placeHolder: vscode.l10n.t('What part of the script to capture'),
    ignoreFocusOut: true,
  });
  return picked?.answer();
}

async function askTyped(
  title: string,
  prompt: string,
  parse: (text: string) => CaptureWindow | undefined,
): Promise<CaptureWindow | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt,
    ignoreFocusOut: true,
    validateInput: (value) => (value === '' || parse(value) !== undefined ? undefined : prompt),
  });
  return text === undefined ? undefined : parse(text);
}
