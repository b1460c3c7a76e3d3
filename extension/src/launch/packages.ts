// Whether a file belongs to a package, and so runs as `python -m package.module` rather than by its path.

import path from 'node:path';
import { type Import, importsOf } from './imports';

/** A file as a module of its package. */
export interface PackageModule {
  /** What follows `-m`: `gpt.train`. */
  readonly module: string;
  /** The folder from which its imports resolve. */
  readonly root: string;
}

/** The files that are looked at. */
export interface SourceFiles {
  /** The text of a file; undefined where there is none. */
  readonly read: (file: string) => Promise<string | undefined>;
  /** The names of what is in a folder; none where there is no such folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
}

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/**
 * The module that a file is of its package: where it imports relatively, is a `__main__.py`, imports what resolves from
 * a folder above but not from its own, or its siblings import it as a part of their package. Undefined where the file
 * runs by its path as well. Only relative imports make a package of the workspace folder itself.
 */
export async function packageModule(
  file: string,
  workspace: string | undefined,
  files: SourceFiles,
): Promise<PackageModule | undefined> {
  const source = await files.read(file);
  if (source === undefined) {
    return undefined;
  }
  const folder = path.dirname(file);
  const imports = importsOf(source);
  const levels = imports.reduce((most, { level }) => Math.max(most, level), 0);
  const absolute = imports.filter(({ level }) => level === 0);
  const isMain = path.basename(file) === '__main__.py';
  const depth = await depthOfPackage(folder, files);
  const leastDepth = Math.max(levels, 1);
  const above = await rootOfImports(absolute, folder, workspace, files);
  const isPart = levels > 0 || isMain || (depth > 0 && (await isImportedBySiblings(file, depth, files)));
  const root =
    above !== undefined && depthBelow(above, folder) >= leastDepth
      ? above
      : isPart
        ? ((await sourceFolder(folder, Math.max(leastDepth, depth), workspace, files)) ??
          ancestor(folder, Math.max(leastDepth, depth)))
        : undefined;
  if (root === undefined || (levels === 0 && !(await canBeRoot(root, folder, workspace, absolute, files)))) {
    return undefined;
  }
  const names = path.relative(root, isMain ? folder : file.replace(/\.py$/u, '')).split(path.sep);
  return names.every((name) => IDENTIFIER.test(name)) ? { module: names.join('.'), root } : undefined;
}

/** Whether an import that did not resolve is of a package that lies beside or above a file. */
export async function resolvesAbove(
  module: string,
  file: string,
  workspace: string | undefined,
  files: SourceFiles,
): Promise<boolean> {
  const wanted = [{ level: 0, module, names: [] }];
  return (await rootOfImports(wanted, path.dirname(file), workspace, files)) !== undefined;
}

/** How many folders from this one up are packages with an `__init__.py`. */
async function depthOfPackage(folder: string, files: SourceFiles): Promise<number> {
  let depth = 0;
  for (const each of upwards(folder)) {
    if (!(await files.list(each)).includes('__init__.py')) {
      break;
    }
    depth++;
  }
  return depth;
}

/** The nearest folder above from which an import resolves that does not from the file's own folder. */
async function rootOfImports(
  imports: readonly Import[],
  folder: string,
  workspace: string | undefined,
  files: SourceFiles,
): Promise<string | undefined> {
  const others = await filtered(imports, async (each) => !(await resolves(each, folder, files)));
  for (const root of upwards(path.dirname(folder))) {
    // Outside the workspace any folder could have the name of a library.
    if (!isWithin(root, workspace ?? path.dirname(folder))) {
      return undefined;
    }
    if ((await filtered(others, (each) => resolves(each, root, files))).length > 0) {
      return root;
    }
  }
  return undefined;
}

/** The nearest folder above that is called `src`, from which the packages below it are found; those without an `__init__.py` too. */
async function sourceFolder(
  folder: string,
  leastDepth: number,
  workspace: string | undefined,
  files: SourceFiles,
): Promise<string | undefined> {
  for (const each of upwards(ancestor(folder, leastDepth))) {
    if (workspace === undefined || !isWithin(each, workspace)) {
      return undefined;
    }
    if (path.basename(each) === 'src' && !(await files.list(each)).includes('__init__.py')) {
      return each;
    }
  }
  return undefined;
}

/** Whether what a file without relative imports takes from its own folder is found from a root as well. */
async function canBeRoot(
  root: string,
  folder: string,
  workspace: string | undefined,
  imports: readonly Import[],
  files: SourceFiles,
): Promise<boolean> {
  const own = await filtered(imports, (each) => resolves(each, folder, files));
  const found = await filtered(own, (each) => resolves(each, root, files));
  return isWithin(root, workspace ?? root) && found.length === own.length;
}

async function filtered<Each>(all: readonly Each[], isWanted: (each: Each) => Promise<boolean>): Promise<Each[]> {
  const wanted = await Promise.all(all.map(isWanted));
  return all.filter((_, place) => wanted[place]);
}

/** Whether an absolute import finds its module from a root, also in packages without an `__init__.py`. */
async function resolves({ module, names }: Import, root: string, files: SourceFiles): Promise<boolean> {
  let folder = root;
  const parts = module.split('.');
  for (const [place, name] of parts.entries()) {
    const here = await files.list(folder);
    if (here.includes(`${name}.py`)) {
      return place === parts.length - 1;
    }
    if (!here.includes(name)) {
      return false;
    }
    folder = path.join(folder, name);
  }
  const here = await files.list(folder);
  if (here.includes('__init__.py')) {
    return true;
  }
  // `import data` beside a folder of data is not of that folder: a package without an `__init__.py` holds sources.
  if (names.length === 0) {
    return hasSources(here);
  }
  const inside = await filtered(
    names,
    async (name) =>
      here.includes(`${name}.py`) || (here.includes(name) && hasSources(await files.list(path.join(folder, name)))),
  );
  return inside.length > 0;
}

function hasSources(names: readonly string[]): boolean {
  return names.some((each) => each.endsWith('.py'));
}

async function isImportedBySiblings(file: string, depth: number, files: SourceFiles): Promise<boolean> {
  const folder = path.dirname(file);
  const stem = path.parse(file).name;
  const dotted = path.relative(ancestor(folder, depth), folder).split(path.sep).join('.');
  for (const name of await files.list(folder)) {
    if (!name.endsWith('.py') || name === path.basename(file)) {
      continue;
    }
    const imports = importsOf((await files.read(path.join(folder, name))) ?? '');
    const isImported = imports.some(
      ({ level, module, names }) =>
        (level === 1 && (module === stem || (module === '' && names.includes(stem)))) ||
        (level === 0 && (module === `${dotted}.${stem}` || (module === dotted && names.includes(stem)))),
    );
    if (isImported) {
      return true;
    }
  }
  return false;
}

/** A folder and those above it, up to the root of the disk. */
function* upwards(folder: string): Generator<string> {
  for (let each = folder; ; each = path.dirname(each)) {
    yield each;
    if (each === path.dirname(each)) {
      return;
    }
  }
}

function ancestor(folder: string, levels: number): string {
  return levels === 0 ? folder : ancestor(path.dirname(folder), levels - 1);
}

function depthBelow(root: string, folder: string): number {
  return path.relative(root, folder).split(path.sep).length;
}

function isWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep);
}
