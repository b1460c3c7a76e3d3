// Imports of `worker:./FILE` are the script of a worker as a text: a page may load no other file than its own bundle.
import path from 'node:path';
import { build } from 'esbuild';

export const workersAsText = {
  name: 'workers as text',
  setup(each) {
    const { minify, target } = each.initialOptions;
    each.onResolve({ filter: /^worker:/ }, ({ path: file, resolveDir }) => ({
      path: path.resolve(resolveDir, file.slice('worker:'.length)),
      namespace: 'worker',
    }));
    each.onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path: file }) => {
      const { outputFiles, metafile } = await build({
        entryPoints: [file],
        bundle: true,
        minify: minify ?? false,
        ...(target === undefined ? {} : { target }),
        format: 'iife',
        write: false,
        metafile: true,
        logLevel: 'silent',
      });
      return {
        contents: outputFiles[0].text,
        loader: 'text',
        watchFiles: Object.keys(metafile.inputs).map((input) => path.resolve(input)),
      };
    });
  },
};
