import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf } from '../../../extension/src/launch/imports';
import { packageModule, resolvesAbove, type SourceFiles } from '../../../extension/src/launch/packages';

/** A disk with these files. */
function disk(files: Readonly<Record<string, string>>): SourceFiles {
  return {
    read: (file) => Promise.resolve(files[file]),
    list: (folder) => {
      const within = Object.keys(files).filter((file) => file.startsWith(`${folder}/`));
      return Promise.resolve([...new Set(within.map((file) => path.relative(folder, file).split('/')[0] ?? ''))]);
    },
  };
}

const moduleOf = (file: string, files: Readonly<Record<string, string>>) => packageModule(file, '/w', disk(files));

describe('imports', () => {
  test('are found wherever they stand, and not in strings and comments', () => {
    const source = [
      '"""Use it with',
      'from .documented import x',
      '"""',
      "text = 'a \\' from . import no'  # from .commented import y",
      'import jax, numpy as np',
      'def main():',
      '    from . import model, data as d',
      '    if True: from ..layers.dense import (',
      '        Dense,  # the layer',
      '        Other as Another,',
      '    )',
      'from gpt.model \\',
      '    import GPT; import os.path',
      'yield_from = 1',
    ].join('\n');
    expect(importsOf(source)).toEqual([
      { level: 1, module: '', names: ['model', 'data'] },
      { level: 2, module: 'layers.dense', names: ['Dense', 'Other'] },
      { level: 0, module: 'gpt.model', names: ['GPT'] },
      { level: 0, module: 'jax', names: [] },
      { level: 0, module: 'numpy', names: [] },
      { level: 0, module: 'os.path', names: [] },
    ]);
  });
});

describe('a file', () => {
  test('with relative imports is a module from above its packages', async () => {
    const source = 'def main():\n    from .model import GPT\n';
    const files = { '/w/gpt/train.py': source, '/w/gpt/model.py': '' };
    expect(await moduleOf('/w/gpt/train.py', files)).toEqual({ module: 'gpt.train', root: '/w' });
    const within = {
      ...files,
      '/w/gpt/__init__.py': '',
      '/w/gpt/jobs/__init__.py': '',
      '/w/gpt/jobs/train.py': source,
    };
    expect(await moduleOf('/w/gpt/jobs/train.py', within)).toEqual({ module: 'gpt.jobs.train', root: '/w' });
    const farther = { '/w/a/b/train.py': 'from ..common import x\n', '/w/a/common.py': '' };
    expect(await moduleOf('/w/a/b/train.py', farther)).toEqual({ module: 'a.b.train', root: '/w' });
  });

  test('that is __main__.py is its package', async () => {
    const files = { '/w/src/gpt/__main__.py': 'import gpt.train\n', '/w/src/gpt/train.py': '' };
    expect(await moduleOf('/w/src/gpt/__main__.py', files)).toEqual({ module: 'gpt', root: '/w/src' });
    expect(await moduleOf('/w/__main__.py', { '/w/__main__.py': 'import jax\n' })).toBeUndefined();
  });

  test('whose imports resolve from a folder above is a module from there', async () => {
    const source = 'from gpt.model import GPT\nimport jax\n';
    const plain = { '/w/gpt/train.py': source, '/w/gpt/model.py': '' };
    expect(await moduleOf('/w/gpt/train.py', plain)).toEqual({ module: 'gpt.train', root: '/w' });
    const src = { '/w/src/gpt/train.py': source, '/w/src/gpt/model.py': '', '/w/src/gpt/__init__.py': '' };
    expect(await moduleOf('/w/src/gpt/train.py', src)).toEqual({ module: 'gpt.train', root: '/w/src' });
    const beside = { '/w/scripts/train.py': source, '/w/gpt/__init__.py': '', '/w/gpt/model.py': '' };
    expect(await moduleOf('/w/scripts/train.py', beside)).toEqual({ module: 'scripts.train', root: '/w' });
    const taken = { '/w/gpt/train.py': 'from gpt import model\n', '/w/gpt/model.py': '' };
    expect(await moduleOf('/w/gpt/train.py', taken)).toEqual({ module: 'gpt.train', root: '/w' });
  });

  test('of a namespace package is a module from above all of it', async () => {
    const absolute = { '/w/lab/gpt/train.py': 'from lab.gpt import model\n', '/w/lab/gpt/model.py': '' };
    expect(await moduleOf('/w/lab/gpt/train.py', absolute)).toEqual({ module: 'lab.gpt.train', root: '/w' });
    const ofFolder = { '/w/lab/gpt/train.py': 'from lab import gpt\n', '/w/lab/gpt/model.py': '' };
    expect(await moduleOf('/w/lab/gpt/train.py', ofFolder)).toEqual({ module: 'lab.gpt.train', root: '/w' });
    const data = { '/w/lab/gpt/train.py': 'from lab import images\n', '/w/lab/images/1.png': '' };
    expect(await moduleOf('/w/lab/gpt/train.py', data)).toBeUndefined();
  });

  test('below a src folder is a module from there, whichever of its packages have an __init__.py', async () => {
    const relative = { '/w/src/lab/gpt/train.py': 'from .model import GPT\n', '/w/src/lab/gpt/model.py': '' };
    const found = { module: 'lab.gpt.train', root: '/w/src' };
    expect(await moduleOf('/w/src/lab/gpt/train.py', relative)).toEqual(found);
    expect(await moduleOf('/w/src/lab/gpt/train.py', { ...relative, '/w/src/lab/gpt/__init__.py': '' })).toEqual(found);
    const nested = { '/w/core/src/gpt/train.py': 'from .model import GPT\n', '/w/core/src/gpt/model.py': '' };
    expect(await moduleOf('/w/core/src/gpt/train.py', nested)).toEqual({ module: 'gpt.train', root: '/w/core/src' });
    // Such a folder may be a package itself.
    const itself = { '/w/src/train.py': 'from .model import GPT\n', '/w/src/model.py': '' };
    expect(await moduleOf('/w/src/train.py', itself)).toEqual({ module: 'src.train', root: '/w' });
    const packaged = {
      '/w/src/__init__.py': '',
      '/w/src/gpt/__init__.py': '',
      '/w/src/gpt/train.py': 'from . import a\n',
    };
    expect(await moduleOf('/w/src/gpt/train.py', packaged)).toEqual({ module: 'src.gpt.train', root: '/w' });
    const imported = { '/w/src/gpt/train.py': 'from . import a\nimport src.gpt.a\n', '/w/src/gpt/a.py': '' };
    expect(await moduleOf('/w/src/gpt/train.py', imported)).toEqual({ module: 'src.gpt.train', root: '/w' });
  });

  test('that its siblings import as a part of the package is a module', async () => {
    const files = {
      '/w/gpt/__init__.py': '',
      '/w/gpt/train.py': 'import jax\n',
      '/w/gpt/evaluate.py': 'from .train import step\n',
    };
    expect(await moduleOf('/w/gpt/train.py', files)).toEqual({ module: 'gpt.train', root: '/w' });
    expect(await moduleOf('/w/gpt/train.py', { ...files, '/w/gpt/evaluate.py': 'import train\n' })).toBeUndefined();
  });

  test('that runs by its path is none', async () => {
    const siblings = { '/w/jobs/train.py': 'from model import GPT\nimport jax\n', '/w/jobs/model.py': '' };
    expect(await moduleOf('/w/jobs/train.py', siblings)).toBeUndefined();
    expect(await moduleOf('/w/jobs/train.py', { ...siblings, '/w/jobs/__init__.py': '' })).toBeUndefined();
    const data = { '/w/jobs/train.py': 'import data\n', '/w/data/images/1.png': '' };
    expect(await moduleOf('/w/jobs/train.py', data)).toBeUndefined();
    expect(await moduleOf('/w/train.py', { '/w/train.py': 'import other\n', '/other.py': '' })).toBeUndefined();
    // As a module it would not find what lies beside it.
    const mixed = { ...siblings, '/w/jobs/train.py': 'import model\nimport common\n', '/w/common.py': '' };
    expect(await moduleOf('/w/jobs/train.py', mixed)).toBeUndefined();
  });

  test('whose folder cannot be named in an import is none', async () => {
    expect(await moduleOf('/w/my-gpt/train.py', { '/w/my-gpt/train.py': 'from . import x\n' })).toBeUndefined();
  });

  test('with relative imports may be in a package that is the workspace folder', async () => {
    const files = { '/w/train.py': 'from .model import GPT\n', '/w/model.py': '', '/w/__init__.py': '' };
    expect(await moduleOf('/w/train.py', files)).toEqual({ module: 'w.train', root: '/' });
  });

  test('does not find a module that lies above it', async () => {
    const files = disk({ '/w/jobs/train.py': '', '/w/gpt/model.py': '' });
    expect(await resolvesAbove('gpt.model', '/w/jobs/train.py', '/w', files)).toBe(true);
    expect(await resolvesAbove('flax.linen', '/w/jobs/train.py', '/w', files)).toBe(false);
  });
});
