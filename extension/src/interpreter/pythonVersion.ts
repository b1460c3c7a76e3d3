import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/** The major and minor version of a Python. */
export type PythonVersion = readonly [number, number];

/** The oldest Python whose scripts can be profiled. */
export const LEAST_PYTHON: PythonVersion = [3, 10];

export function isTooOld([major, minor]: PythonVersion): boolean {
  const [leastMajor, leastMinor] = LEAST_PYTHON;
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** The version of an interpreter, as its files tell; it is not started. Undefined where they do not. */
export async function pythonVersion(python: string, folder: string): Promise<PythonVersion | undefined> {
  return (await ofSettings(folder)) ?? (await ofFile(python)) ?? (await ofConda(folder)) ?? (await ofLibraries(folder));
}

/** A virtual environment states it. */
async function ofSettings(folder: string): Promise<PythonVersion | undefined> {
  const settings = await readFile(path.join(folder, 'pyvenv.cfg'), 'utf8').catch(() => '');
  return parseVersion(/^version(?:_info)?\s*=\s*(.+)$/mu.exec(settings)?.[1] ?? '');
}

/** The program that a name like `python3` leads to is named after it. */
async function ofFile(python: string): Promise<PythonVersion | undefined> {
  const file = await realpath(python).catch(() => python);
  return parseVersion(/^python(\d+\.\d+)(?:\.exe)?$/u.exec(path.basename(file))?.[1] ?? '');
}

async function ofConda(folder: string): Promise<PythonVersion | undefined> {
  const packages = await readdir(path.join(folder, 'conda-meta')).catch((): string[] => []);
  return packages.map((name) => parseVersion(/^python-(\d+\.\d+)[.-]/u.exec(name)?.[1] ?? '')).find(Boolean);
}

/** An environment has one folder of libraries, which is named after it; a system may have several. */
async function ofLibraries(folder: string): Promise<PythonVersion | undefined> {
  const folders = await readdir(path.join(folder, 'lib')).catch((): string[] => []);
  const versions = folders
    .map((name) => parseVersion(/^python(\d+\.\d+)$/u.exec(name)?.[1] ?? ''))
    .filter((version) => version !== undefined);
  return versions.length === 1 ? versions[0] : undefined;
}

/** `3.8.10` as a version; undefined where the text does not begin with one. */
export function parseVersion(text: string): PythonVersion | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)/u.exec(text.trim()) ?? [];
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor)];
}
