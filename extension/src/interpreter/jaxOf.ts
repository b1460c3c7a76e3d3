import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProcessRunner } from '../daemon/process';
import { parseVersion, type PythonVersion } from './pythonVersion';

/** Whether an environment has jax: its version, empty where that is not written there; undefined for none. */
export type JaxVersion = string | undefined;

/** Looks for jax in an environment's folders of libraries; starts nothing. */
export async function jaxOf(folder: string): Promise<JaxVersion> {
  for (const libraries of await libraryFolders(folder)) {
    for (const place of [libraries, ...(await linkedFolders(libraries))]) {
      if (await isFolder(path.join(place, 'jax'))) return versionIn(place);
    }
  }
  return undefined;
}

/** What an interpreter answers that was asked for jax: its version where that is too old for anything else. */
export type AnsweredForJax = 'has' | 'lacks' | 'does not start' | PythonVersion;

/** As long as an interpreter may take to answer; on a slow disk it takes seconds. */
const LONGEST_MS = 20_000;

const QUESTION = `
import sys
print("%d.%d" % sys.version_info[:2])
if sys.version_info >= (3, 10):
    from importlib.util import find_spec
    sys.path.insert(0, sys.argv[1])
    print("has" if find_spec("jax") is not None else "lacks")
`;

/** Asks an interpreter, which looks everywhere it would: only for one that a script is about to be started with. */
export async function askForJax(python: string, scripts: string, run: ProcessRunner): Promise<AnsweredForJax> {
  try {
    const { code, stdout } = await run(python, ['-c', QUESTION, scripts], { limit_ms: LONGEST_MS });
    const answer = stdout.trim().split('\n').at(-1) ?? '';
    if (code !== 0) return 'does not start';
    if (answer === 'has' || answer === 'lacks') return answer;
    return parseVersion(answer) ?? 'does not start';
  } catch {
    return 'does not start';
  }
}

async function libraryFolders(folder: string): Promise<string[]> {
  const windows = path.join(folder, 'Lib', 'site-packages');
  const found = (await isFolder(windows)) ? [windows] : [];
  for (const lib of ['lib', 'lib64']) {
    for (const version of await entries(path.join(folder, lib))) {
      const libraries = path.join(folder, lib, version, 'site-packages');
      if (version.startsWith('python3') && (await isFolder(libraries))) found.push(libraries);
    }
  }
  const settings = await readFile(path.join(folder, 'pyvenv.cfg'), 'utf8').catch(() => '');
  const home = /^home\s*=\s*(.+)$/mu.exec(settings)?.[1]?.trim();
  if (/^include-system-site-packages\s*=\s*true/imu.test(settings) && home !== undefined) {
    const base = path.basename(home) === 'bin' ? path.dirname(home) : home;
    if ((await realpath(base).catch(() => base)) !== folder) found.push(...(await libraryFolders(base)));
  }
  return found;
}

/** The folders that `.pth` files name, as an editable installation does. */
async function linkedFolders(libraries: string): Promise<string[]> {
  const files = (await entries(libraries)).filter((name) => name.endsWith('.pth'));
  const texts = await Promise.all(files.map((name) => readFile(path.join(libraries, name), 'utf8').catch(() => '')));
  return texts
    .flatMap((text) => text.split(/\r?\n/u))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('import'))
    .map((line) => path.resolve(libraries, line));
}

async function versionIn(libraries: string): Promise<string> {
  const described = (await entries(libraries)).map((name) => /^jax-([\w.+]+)\.dist-info$/u.exec(name)?.[1]);
  return described.find((version) => version !== undefined) ?? '';
}

async function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
