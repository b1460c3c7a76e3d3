import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Surroundings } from '../../../extension/src/interpreter/environments';
import { findEnvironments } from '../../../extension/src/interpreter/environments';
import { jaxOf } from '../../../extension/src/interpreter/jaxOf';

let root: string;
let where: Surroundings;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'environments-'));
  const workspace = path.join(root, 'work', 'project');
  await mkdir(workspace, { recursive: true });
  where = {
    workspace,
    scripts: workspace,
    home: path.join(root, 'home'),
    environment: {},
    platform: 'linux',
    known: [],
  };
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function write(file: string, text = ''): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

/** An environment of that kind, and its interpreter. */
async function make(folder: string, mark: 'pyvenv.cfg' | 'conda-meta/history' | '', python = 'bin/python') {
  if (mark !== '') await write(path.join(folder, mark));
  const file = await write(path.join(folder, python), '#!/bin/sh\n');
  await chmod(file, 0o755);
  return file;
}

async function names(changes: Partial<Surroundings> = {}): Promise<string[]> {
  return (await findEnvironments({ ...where, ...changes })).map(({ name }) => name);
}

describe('environments', () => {
  test('are found in the folder of the workspace, of the script and between, the nearest and .venv first', async () => {
    await make(path.join(where.workspace, 'venv'), 'pyvenv.cfg');
    const python = await make(path.join(where.workspace, '.venv'), 'pyvenv.cfg');
    await make(path.join(where.workspace, '.conda'), 'conda-meta/history');
    await make(path.join(where.workspace, 'src', 'env'), 'pyvenv.cfg');
    await make(path.join(where.workspace, 'other', 'env'), 'pyvenv.cfg');
    await write(path.join(where.workspace, 'broken', 'pyvenv.cfg'));
    const scripts = path.join(where.workspace, 'src', 'jobs');
    expect(await names({ scripts })).toEqual([path.join('src', 'env'), '.venv', '.conda', 'venv']);
    expect((await findEnvironments(where))[0]).toEqual({
      python,
      folder: path.join(where.workspace, '.venv'),
      name: '.venv',
    });
  });

  test('of Windows have their interpreter elsewhere', async () => {
    await make(path.join(where.workspace, '.venv'), 'pyvenv.cfg', 'Scripts/python.exe');
    expect(await names({ platform: 'win32' })).toEqual(['.venv']);
    expect(await names()).toEqual([]);
  });

  test('of conda are those that it lists, the active one, and those below its usual roots', async () => {
    const listed = path.join(root, 'elsewhere', 'jaxed');
    await make(listed, 'conda-meta/history');
    await write(path.join(where.home, '.conda', 'environments.txt'), `${listed}\n${path.join(root, 'gone')}\n`);
    await make(path.join(where.home, 'miniforge3'), 'conda-meta/history');
    await make(path.join(where.home, 'miniforge3', 'envs', 'train'), 'conda-meta/history');
    const active = path.join(root, 'active');
    await make(active, 'conda-meta/history');
    expect(await names({ environment: { CONDA_PREFIX: active } })).toEqual([
      'conda: active',
      'conda: jaxed',
      'conda: train',
      'conda: base',
    ]);
  });

  test('of poetry and pipenv are those of the project', async () => {
    await write(
      path.join(where.workspace, 'pyproject.toml'),
      '[tool.black]\nname = "no"\n[project]\nname = "My-Model"\n',
    );
    const poetry = path.join(where.home, '.cache', 'pypoetry', 'virtualenvs');
    await make(path.join(poetry, 'my-model-AbC_12-x-py3.11'), 'pyvenv.cfg');
    await make(path.join(poetry, 'my-model-two-AbC_12-x-py3.11'), 'pyvenv.cfg');
    await make(path.join(poetry, 'another-AbC_12-x-py3.11'), 'pyvenv.cfg');
    await make(path.join(where.home, '.local', 'share', 'virtualenvs', 'project-AbC_12-x'), 'pyvenv.cfg');
    expect(await names()).toEqual(['poetry: my-model-AbC_12-x-py3.11', 'pipenv: project-AbC_12-x']);
    const told = path.join(root, 'told');
    await make(path.join(told, 'my-model-12345678-py3.12'), 'pyvenv.cfg');
    expect(await names({ environment: { POETRY_VIRTUALENVS_PATH: told } })).toContain(
      'poetry: my-model-12345678-py3.12',
    );
    const cache = path.join(where.home, 'Library', 'Caches', 'pypoetry', 'virtualenvs');
    await make(path.join(cache, 'my-model-87654321-py3.12'), 'pyvenv.cfg');
    expect(await names({ platform: 'darwin' })).toContain('poetry: my-model-87654321-py3.12');
  });

  test('of uv, pyenv and other extensions are found, each once', async () => {
    await make(path.join(root, 'uv'), 'pyvenv.cfg');
    const python = await make(path.join(where.home, '.pyenv', 'versions', '3.12.1'), '');
    const other = await make(path.join(root, 'other'), '');
    const environment = { UV_PROJECT_ENVIRONMENT: '../../uv' };
    expect(await names({ environment, known: [python, other] })).toEqual(['uv: uv', 'pyenv: 3.12.1', other]);
  });
});

describe('jax', () => {
  test('is found with its version, without starting anything', async () => {
    const libraries = path.join(root, 'env', 'lib', 'python3.11', 'site-packages');
    await mkdir(libraries, { recursive: true });
    expect(await jaxOf(path.join(root, 'env'))).toBeUndefined();
    await mkdir(path.join(libraries, 'jaxlib'));
    expect(await jaxOf(path.join(root, 'env'))).toBeUndefined();
    await mkdir(path.join(libraries, 'jax'));
    expect(await jaxOf(path.join(root, 'env'))).toBe('');
    await mkdir(path.join(libraries, 'jax-0.7.1.dist-info'));
    expect(await jaxOf(path.join(root, 'env'))).toBe('0.7.1');
  });

  test('is found in the layout of Windows, behind .pth files, and in the base that an environment takes in', async () => {
    await mkdir(path.join(root, 'win', 'Lib', 'site-packages', 'jax'), { recursive: true });
    expect(await jaxOf(path.join(root, 'win'))).toBe('');
    await mkdir(path.join(root, 'checkout', 'jax'), { recursive: true });
    await write(
      path.join(root, 'linked', 'lib', 'python3.12', 'site-packages', 'x.pth'),
      `import os\n# no\n${path.join(root, 'checkout')}\n`,
    );
    expect(await jaxOf(path.join(root, 'linked'))).toBe('');
    const home = path.join(root, 'base', 'bin');
    await mkdir(path.join(root, 'base', 'lib', 'python3.12', 'site-packages', 'jax'), { recursive: true });
    const settings = path.join(root, 'taking', 'pyvenv.cfg');
    await write(settings, `home = ${home}\ninclude-system-site-packages = true\n`);
    expect(await jaxOf(path.join(root, 'taking'))).toBe('');
    await write(settings, `home = ${home}\ninclude-system-site-packages = false\n`);
    expect(await jaxOf(path.join(root, 'taking'))).toBeUndefined();
  });
});
