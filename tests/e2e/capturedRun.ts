import { execFileSync } from 'node:child_process';
import { developmentPython } from './development.js';
import type { Workspace } from './workspace.js';

/** Writes a script into the workspace and captures it there, as its one run. */
export function captureInto(workspace: Workspace, script: string, source: string, ...options: readonly string[]): void {
  workspace.write(script, source);
  captureAs(workspace, `20260102-000000-${script}`, ...options, script);
}

/** Captures a script of the workspace as a run of a name, given the options of that, the script and its arguments. */
export function captureAs(workspace: Workspace, name: string, ...given: readonly string[]): void {
  const run = workspace.path(`.scopelight/${name}`);
  const command = ['-m', 'scopelight.cli.main', 'run', '--no-calibration', '--out', run, ...given];
  execFileSync(developmentPython, command, {
    cwd: workspace.folder,
    env: { ...process.env, JAX_PLATFORMS: 'cpu' },
    stdio: 'ignore',
  });
}
