import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The root of the project, where vitest and `npm run` are started. */
export const root = process.cwd();

/** The interpreter with jax and the daemon that the project itself is developed with. */
export const developmentPython = path.join(root, '.venv/bin/python');

/** Settings with which the daemon that is developed here runs, without being installed for the editor. */
export const developmentDaemon: Readonly<Record<string, unknown>> = {
  'scopelight.interpreter': developmentPython,
  'scopelight.daemon.environment': 'interpreter',
};

/** The version of the extension and of its daemon. */
export function version(): string {
  return (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version;
}
