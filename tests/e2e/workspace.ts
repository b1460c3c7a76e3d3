import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './development.js';

/** A folder with a copy of the examples, as a user's project would be. */
export class Workspace {
  private constructor(readonly folder: string) {}

  static ofExamples(folder: string): Workspace {
    mkdirSync(folder, { recursive: true });
    for (const each of readdirSync(path.join(root, 'daemon/examples'))) {
      if (each.endsWith('.py')) {
        cpSync(path.join(root, 'daemon/examples', each), path.join(folder, each));
      }
    }
    return new Workspace(folder);
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

  /** The names of the run directories below it, oldest first. */
  runs(): string[] {
    try {
      return readdirSync(this.path('.scopelight'))
        .filter((each) => !each.startsWith('.'))
        .sort();
    } catch {
      return [];
    }
  }
}
