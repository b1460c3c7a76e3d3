import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { developmentPython, root } from './development.js';

/** The number of the first line of a source that holds `text`. */
export function lineOf(source: string, text: string): number {
  return source.split('\n').findIndex((line) => line.includes(text)) + 1;
}

/** A folder with a copy of the examples, as a user's project would be. */
export class Workspace {
  private constructor(readonly folder: string) {}

  /** Makes the folder anew. */
  static ofExamples(folder: string): Workspace {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const each of readdirSync(path.join(root, 'daemon/examples'))) {
      if (each.endsWith('.py')) {
        cpSync(path.join(root, 'daemon/examples', each), path.join(folder, each));
      }
    }
    return new Workspace(folder);
  }

  /** Profiles the transformer from the command line, as someone did before the editor was opened. */
  async profile(name: string): Promise<string> {
    const run = this.path(path.join('.scopelight', name));
    await promisify(execFile)(
      developmentPython,
      ['-m', 'scopelight.cli.main', 'run', '--out', run, 'transformer.py', '--steps', '60', '--layers', '2'],
      { cwd: this.folder, env: { ...process.env, JAX_PLATFORMS: 'cpu' } },
    );
    return run;
  }

  path(file: string): string {
    return path.join(this.folder, file);
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  /** Copies a run that was captured in a folder of the same path. */
  addRun(run: string): void {
    cpSync(run, this.path(path.join('.scopelight', path.basename(run))), { recursive: true });
  }

  /** The names of the run directories below it, oldest first. */
  runs(): string[] {
    const folder = this.path('.scopelight');
    return existsSync(folder)
      ? readdirSync(folder)
          .filter((each) => !each.startsWith('.'))
          .sort()
      : [];
  }
}
