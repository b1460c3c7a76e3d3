import path from 'node:path';
import { RESOURCES_MS, windowOptions } from '../launch/captureWindow';
import type { CaptureWindow, StepSettings } from '../launch/captureWindow';
import type { ResolvedLaunch } from '../launch/launchConfigurations';
import type { Making } from '../remembered';

/** What a script is compiled for, where it is not profiled. */
export interface Preflight {
  readonly tpu: string;
  /** Whether the script computes meanwhile. */
  readonly observes: boolean;
  /** An argument of the script that has another value than it is given. */
  readonly argument?: { readonly name: string; readonly value: string };
}

/** A script to be captured, everything decided. */
export interface CaptureRequest extends ResolvedLaunch {
  /** What it is called on screen: `train.py`. */
  readonly title: string;
  readonly window: CaptureWindow;
  readonly steps: StepSettings;
  /** Whether the machine may be measured after a script that ran on its CPU. */
  readonly calibrates: boolean;
  /** Whether it is recorded where the script's threads stand. */
  readonly recordsHost: boolean;
  /** Milliseconds between two readings of the host's resources while a trace runs; null where they are not read. */
  readonly resources_ms: number | null;
  /** The folder whose `.scopelight` receives the run. */
  readonly folder: string;
  /** Where the script is not profiled: the TPU that it is compiled for, and whether it computes meanwhile. */
  readonly preflight?: Preflight;
  /** How the same is captured again; undefined where what its record says is to be captured. */
  readonly making: Making | undefined;
}

/** The arguments of the daemon's interpreter that capture a script into the run directory `out`. */
export function captureArguments(request: CaptureRequest, out: string): string[] {
  const { name, isModule, args, cwd, python } = request;
  const script = isModule ? ['-m', name] : [scriptArgument(path.relative(cwd, name), name)];
  return [
    // -P: a file in the script's folder must not stand for a library of ours.
    ...['-P', '-m', 'scopelight.cli.main', request.preflight === undefined ? 'run' : 'preflight'],
    ...(python === undefined ? [] : ['--python', python]),
    ...optionsOf(request),
    ...['--out', out],
    ...script,
    ...args,
  ];
}

function optionsOf({ preflight, window, steps, calibrates, recordsHost, resources_ms }: CaptureRequest): string[] {
  if (preflight !== undefined) {
    const { tpu, observes, argument } = preflight;
    const changed = argument === undefined ? [] : [`--batch=${argument.value}`, `--arg=${argument.name}`];
    return ['--tpu', tpu, ...(observes ? ['--observe'] : []), ...changed];
  }
  return [
    ...windowOptions(window, steps),
    ...(calibrates ? [] : ['--no-calibration']),
    ...(recordsHost ? [] : ['--no-host']),
    ...resourcesOptions(resources_ms),
  ];
}

/** A script by its path from where it starts, where it is below; never what could be taken for an option. */
function scriptArgument(inside: string, name: string): string {
  if (inside.startsWith('..') || path.isAbsolute(inside)) {
    return name;
  }
  return inside.startsWith('-') ? `.${path.sep}${inside}` : inside;
}

function resourcesOptions(period_ms: number | null): readonly string[] {
  if (period_ms === null) {
    return ['--no-resources'];
  }
  return period_ms === RESOURCES_MS ? [] : ['--resources-period', String(period_ms)];
}

/**
 * The run directory of a capture that begins now, named as the command line names it; of a prediction also by the TPU, and
 * by what is compared: one may follow another within a second.
 */
export function runDirectory(
  request: Pick<CaptureRequest, 'name' | 'isModule' | 'folder' | 'preflight'>,
  now: Date,
): string {
  const { tpu, argument } = request.preflight ?? {};
  const stem = request.isModule ? (request.name.split('.').at(-1) ?? '') : path.parse(request.name).name;
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  const named = [stem || 'script', tpu, argument?.value].filter((part) => part !== undefined).join('-');
  return path.join(request.folder, '.scopelight', `${day}-${time}-${named.replaceAll(/[^\w.-]/gu, '_')}`);
}
