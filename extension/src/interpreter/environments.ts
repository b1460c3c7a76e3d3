import { access, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isExecutable } from './onPath';

/** A Python environment that was found on the disk; nothing of it was started. */
export interface FoundEnvironment {
  /** Its interpreter. */
  readonly python: string;
  readonly folder: string;
  /** As people call it: `.venv`, `conda: train`. */
  readonly name: string;
}

/** Where environments are looked for. */
export interface Surroundings {
  /** The folder of the workspace, or the script's own where it is in none. */
  readonly workspace: string;
  /** The script's folder; as `workspace` where it is not known. */
  readonly scripts: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Interpreters that other extensions know. */
  readonly known: readonly string[];
}

const CONDA_ROOTS = ['miniconda3', 'anaconda3', 'miniforge3', 'mambaforge', 'micromamba'];

/** Every environment that is found, each once: those of the workspace first, then conda's, poetry's, and the others. */
export async function findEnvironments(where: Surroundings): Promise<FoundEnvironment[]> {
  const groups = await Promise.all([
    ofFolders(where),
    ofProjectManagers(where),
    ofConda(where),
    ofPyenv(where),
    ofExtensions(where),
  ]);
  const found = new Map<string, FoundEnvironment>();
  for (const each of groups.flat()) {
    // A system has several interpreters in one folder.
    const key = (await isEnvironment(each.folder)) ? each.folder : await realpath(each.python);
    if (!found.has(each.folder) && !found.has(key)) found.set(key, each);
  }
  return [...found.values()];
}

/** The interpreter of an environment's folder, in the layout of either system; undefined where it has none. */
async function pythonIn(folder: string, { platform }: Surroundings): Promise<string | undefined> {
  const places =
    platform === 'win32'
      ? [['Scripts', 'python.exe'], ['python.exe']]
      : [
          ['bin', 'python'],
          ['bin', 'python3'],
        ];
  for (const place of places) {
    const python = path.join(folder, ...place);
    if (await isExecutable(python)) return python;
  }
  return undefined;
}

async function environment(folder: string, name: string, where: Surroundings): Promise<FoundEnvironment[]> {
  const python = await pythonIn(folder, where);
  return python === undefined ? [] : [{ python, folder, name }];
}

/** Folders directly in the workspace's folder, in the script's, and in those between. */
async function ofFolders(where: Surroundings): Promise<FoundEnvironment[]> {
  const found: FoundEnvironment[] = [];
  for (const parent of between(where)) {
    const venvs = await subfoldersWith(parent, 'pyvenv.cfg');
    const condas = await subfoldersWith(parent, 'conda-meta');
    // `.venv` is what is meant where there are several.
    for (const folder of [...venvs, ...condas].sort(
      (one, other) => rank(one) - rank(other) || one.localeCompare(other),
    )) {
      found.push(...(await environment(folder, path.relative(where.workspace, folder), where)));
    }
  }
  const named = where.environment['UV_PROJECT_ENVIRONMENT'];
  if (named !== undefined && named !== '') {
    const folder = path.resolve(where.workspace, named);
    found.push(...(await environment(folder, `uv: ${path.basename(folder)}`, where)));
  }
  return found;
}

function rank(folder: string): number {
  return path.basename(folder) === '.venv' ? 0 : 1;
}

function between({ workspace, scripts }: Surroundings): string[] {
  const folders = [workspace];
  for (let folder = scripts; folder.startsWith(workspace + path.sep); folder = path.dirname(folder)) {
    folders.push(folder);
  }
  // The nearest to the script first.
  return folders.reverse();
}

/** Poetry and pipenv keep the environments of projects in a folder of their own, named after the project. */
async function ofProjectManagers(where: Surroundings): Promise<FoundEnvironment[]> {
  const project = await projectName(where.workspace);
  const poetry = poetryFolder(where);
  const pipenv = where.environment['WORKON_HOME'] ?? path.join(where.home, '.local', 'share', 'virtualenvs');
  const groups = [
    ...(project === undefined ? [] : [{ tool: 'poetry', parent: poetry, prefix: project }]),
    { tool: 'pipenv', parent: pipenv, prefix: path.basename(where.workspace) },
  ];
  const found: FoundEnvironment[] = [];
  for (const { tool, parent, prefix } of groups) {
    for (const folder of await subfoldersWith(parent, 'pyvenv.cfg')) {
      const rest = path.basename(folder).slice(prefix.length);
      // What follows the name is a sum over the project's place, and for poetry the version of Python.
      const isOfProject = path.basename(folder).startsWith(prefix) && /^-[\w-]{8}(?:-py[\d.]+)?$/u.test(rest);
      if (isOfProject) found.push(...(await environment(folder, `${tool}: ${path.basename(folder)}`, where)));
    }
  }
  return found;
}

async function projectName(workspace: string): Promise<string | undefined> {
  const text = await readFile(path.join(workspace, 'pyproject.toml'), 'utf8').catch(() => '');
  const sections = text.split(/^\s*(?=\[)/mu).filter((section) => /^\[(?:project|tool\.poetry)\]/u.test(section));
  const name = sections.map((section) => /^\s*name\s*=\s*["']([^"']+)["']/mu.exec(section)?.[1]).find(Boolean);
  return name?.toLowerCase().replaceAll(/[ $`!*@"\\\r\n\t]/gu, '_');
}

function poetryFolder({ home, environment: variables, platform }: Surroundings): string {
  const told = variables['POETRY_VIRTUALENVS_PATH'];
  if (told !== undefined && told !== '') return told;
  const cache = variables['POETRY_CACHE_DIR'];
  if (cache !== undefined && cache !== '') return path.join(cache, 'virtualenvs');
  switch (platform) {
    case 'darwin':
      return path.join(home, 'Library', 'Caches', 'pypoetry', 'virtualenvs');
    case 'win32': {
      const local = variables['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local');
      return path.join(local, 'pypoetry', 'Cache', 'virtualenvs');
    }
    default:
      return path.join(variables['XDG_CACHE_HOME'] ?? path.join(home, '.cache'), 'pypoetry', 'virtualenvs');
  }
}

async function ofConda(where: Surroundings): Promise<FoundEnvironment[]> {
  const { home, environment: variables, platform } = where;
  const roots = [
    ...CONDA_ROOTS.map((name) => path.join(home, name)),
    ...(variables['MAMBA_ROOT_PREFIX'] === undefined ? [] : [variables['MAMBA_ROOT_PREFIX']]),
    ...(platform === 'win32' ? [] : ['/opt/conda']),
  ];
  const listed = await readFile(path.join(home, '.conda', 'environments.txt'), 'utf8').catch(() => '');
  const active = variables['CONDA_PREFIX'];
  const folders = [
    ...(active === undefined || active === '' ? [] : [active]),
    ...listed.split(/\r?\n/u).filter((line) => line.trim() !== ''),
    ...(await Promise.all(roots.map((root) => subfoldersWith(path.join(root, 'envs'), 'conda-meta')))).flat(),
    ...roots,
  ];
  const found: FoundEnvironment[] = [];
  for (const folder of new Set(folders.map((each) => path.normalize(each.trim())))) {
    const isBase = path.basename(path.dirname(folder)) !== 'envs';
    const name = isBase && roots.includes(folder) ? 'base' : path.basename(folder);
    found.push(...(await environment(folder, `conda: ${name}`, where)));
  }
  return found;
}

async function ofPyenv(where: Surroundings): Promise<FoundEnvironment[]> {
  const root = where.environment['PYENV_ROOT'] ?? path.join(where.home, '.pyenv');
  const found: FoundEnvironment[] = [];
  for (const folder of await subfolders(path.join(root, 'versions'))) {
    found.push(...(await environment(folder, `pyenv: ${path.basename(folder)}`, where)));
  }
  return found;
}

async function ofExtensions(where: Surroundings): Promise<FoundEnvironment[]> {
  const found: FoundEnvironment[] = [];
  for (const python of where.known) {
    const folder = path.dirname(path.dirname(python));
    if (await isExecutable(python)) found.push({ python, folder, name: python });
  }
  return found;
}

/** Whether a folder is an environment by itself, virtual or of conda. */
export async function isEnvironment(folder: string): Promise<boolean> {
  return (await hasEntry(folder, 'pyvenv.cfg')) || (await hasEntry(folder, 'conda-meta'));
}

/** Whether something of that name is directly in a folder. */
async function hasEntry(folder: string, name: string): Promise<boolean> {
  return access(path.join(folder, name)).then(
    () => true,
    () => false,
  );
}

async function subfoldersWith(parent: string, entry: string): Promise<string[]> {
  const folders = await subfolders(parent);
  const has = await Promise.all(folders.map((folder) => hasEntry(folder, entry)));
  return folders.filter((_, index) => has[index]);
}

async function subfolders(parent: string): Promise<string[]> {
  try {
    const found = await readdir(parent, { withFileTypes: true });
    // A link may lead to a folder: what is in it tells.
    return found
      .filter((each) => each.isDirectory() || each.isSymbolicLink())
      .map(({ name }) => path.join(parent, name));
  } catch {
    return [];
  }
}
