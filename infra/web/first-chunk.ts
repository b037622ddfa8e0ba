import type { Plugin } from 'esbuild';
import { isScriptOfClient } from './texts.ts';

const NAMESPACE = 'late';
const RESOLVED = { isResolved: true };

/**
 * Makes every late script import `app`, the script of the first view. esbuild makes a chunk for each set of entries that
 * share modules, and compresses 37 of them worse than one. So all modules of the first view are in one chunk.
 */
export const firstChunk = (app: string): Plugin => ({
  name: 'first-chunk',
  setup({ onResolve, onLoad, resolve, initialOptions }) {
    onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === RESOLVED) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: RESOLVED });
      const isLate = isScriptOfClient(found.path) && !found.path.endsWith(app);
      return isLate ? { path: found.path, namespace: NAMESPACE } : found;
    });
    onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
      contents: `import ${JSON.stringify(`./${app}`)};\nexport * from ${JSON.stringify(path)};`,
      resolveDir: initialOptions.absWorkingDir ?? '.',
    }));
  },
});
