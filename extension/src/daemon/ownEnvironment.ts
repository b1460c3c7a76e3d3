import { existsSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isExecutable } from '../interpreter/onPath';
import { sentenceOf } from '../log';
import { chooseBasePython } from './basePython';
import type { BundledWheels } from './bundledWheels';
import { fingerprint } from './bundledWheels';
import { InstallError, installFailure } from './installFailure';
import { withInstallLock } from './installLock';
import type { Installation } from './pip';
import { checkInstalled, installWheel, runStep } from './pip';

const PREFIX = 'daemon-';
const STAMP = 'made-from';

/** The virtual environment that the extension keeps for its daemon, in the extension's own storage. */
export class OwnEnvironment {
  private readonly folder: string;

  constructor(
    private readonly storage: string,
    private readonly bundled: BundledWheels,
  ) {
    this.folder = path.join(storage, PREFIX + bundled.version);
  }

  /** The environment's interpreter. */
  get python(): string {
    return path.join(this.folder, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
  }

  /** Whether it is there, complete, and made from what comes with this extension. */
  async isReady(): Promise<boolean> {
    try {
      const stamp = await readFile(path.join(this.folder, STAMP), 'utf8');
      return stamp === (await fingerprint(this.bundled)) && (await isExecutable(this.python));
    } catch {
      return false;
    }
  }

  /** Whether an environment of any version is there: then the user has agreed to having one. */
  async wasInstalled(): Promise<boolean> {
    // One that was never finished has no stamp.
    return (await this.all()).some((folder) => existsSync(path.join(folder, STAMP)));
  }

  /**
   * Makes the environment anew with the first suitable one of `candidates`. Where it fails or is cancelled nothing
   * of it stays; environments of other versions are removed when it succeeded.
   */
  async install(installation: Installation, candidates: readonly string[], force: boolean): Promise<void> {
    try {
      await withInstallLock(`${this.folder}.lock`, installation.token, async () => {
        // Another window may have made it meanwhile.
        if (!force && (await this.isReady())) return;
        try {
          await this.make(installation, candidates);
        } catch (error) {
          await rm(this.folder, { recursive: true, force: true });
          throw error;
        }
        await this.removeOthers(installation.log);
      });
    } catch (error) {
      if (error instanceof vscode.CancellationError || error instanceof InstallError) throw error;
      installation.log.error(sentenceOf(error));
      throw installFailure('environment', String(error));
    }
  }

  private async make(installation: Installation, candidates: readonly string[]): Promise<void> {
    installation.report(vscode.l10n.t('making the environment'));
    const base = await chooseBasePython(candidates, installation.run, installation.token);
    await rm(this.folder, { recursive: true, force: true });
    await runStep(installation, 'environment', base, ['-m', 'venv', this.folder]);
    await installWheel(installation, this.python, this.bundled, false);
    await checkInstalled(installation, this.python, this.bundled);
    // Last: without it the environment does not count.
    await writeFile(path.join(this.folder, STAMP), await fingerprint(this.bundled));
  }

  private async removeOthers(log: vscode.LogOutputChannel): Promise<void> {
    for (const old of await this.all()) {
      if (old === this.folder) continue;
      try {
        await rm(old, { recursive: true, force: true });
        log.info(`Removed the environment of another version, ${old}.`);
      } catch (error) {
        log.warn(`The environment of another version, ${old}, could not be removed: ${sentenceOf(error)}`);
      }
    }
  }

  /** The folders of environments, of every version. */
  private async all(): Promise<string[]> {
    try {
      const entries = await readdir(this.storage, { withFileTypes: true });
      return entries
        .filter((each) => each.isDirectory() && each.name.startsWith(PREFIX))
        .map((each) => path.join(this.storage, each.name));
    } catch {
      return [];
    }
  }
}
