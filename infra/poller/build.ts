import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, loadApart } from '#infra/build/build.ts';

/** Bundles the poller into `<folder>/poller`. A web function runs `index.js`. @returns the bytes that a start loads */
export async function buildPoller(folder: string): Promise<number> {
  const outdir = join(folder, 'poller');
  rmSync(outdir, { recursive: true, force: true });
  const { outExtension: _, ...options } = bundleOptions;
  const { metafile } = await build({
    ...options,
    plugins: [loadApart, ...(bundleOptions.plugins ?? [])],
    entryPoints: { index: 'infra/poller/main.ts' },
    chunkNames: 'parts/[hash]',
    outdir,
    metafile: true,
  });
  writeFileSync(join(outdir, 'package.json'), JSON.stringify({ type: 'module' }));
  const { outputs } = metafile;
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') load(path);
  };
  load(Object.keys(outputs).find((file) => outputs[file]?.entryPoint === 'infra/poller/main.ts') ?? '');
  return [...loaded].reduce((bytes, file) => bytes + (outputs[file]?.bytes ?? 0), 0);
}

if (import.meta.main) console.log(`${String(await buildPoller(resolve('dist'))).padStart(8)} poller`);
