import { execFileSync } from 'node:child_process';
import { developmentPython } from './development.js';
import type { Workspace } from './workspace.js';

/** Writes a script into the workspace and captures it there, as its one run. */
export function captureInto(workspace: Workspace, script: string, source: string, ...options: readonly string[]): void {
  workspace.write(script, source);
  const run = workspace.path(`.scopelight/20260102-000000-${script}`);
  const command = ['-m', 'scopelight.cli.main', 'run', '--no-calibration', '--out', run, ...options, script];
  execFileSync(developmentPython, command, {
    cwd: workspace.folder,
    env: { ...process.env, JAX_PLATFORMS: 'cpu' },
    stdio: 'ignore',
  });
}
