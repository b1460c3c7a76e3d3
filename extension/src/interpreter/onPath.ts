import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

/** Whether a file is there and may be run. */
export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** The executables that a shell would start for `names`: for each name the first on the search path, in their order. */
export async function executablesOnPath(
  names: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const windows = platform === 'win32';
  const folders = (environment['PATH'] ?? environment['Path'] ?? '')
    .split(windows ? ';' : ':')
    .filter((folder) => folder !== '')
    // What lies there on Windows is no Python: it opens the Store.
    .filter((folder) => !windows || !/\\WindowsApps\\?$/i.test(folder));
  const found: string[] = [];
  for (const name of names) {
    for (const folder of folders) {
      const file = path.join(folder, windows ? `${name}.exe` : name);
      if (await isExecutable(file)) {
        found.push(file);
        break;
      }
    }
  }
  return found;
}
