import { linkSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import type { FunctionUses } from '#infra/aws/functions.ts';

/** Files beside the code that a function reads when it runs. */
const DATA_FILES: Record<string, string[]> = {
  'answer-unrouted': ['routes.json'],
  'get-api-document': ['openapi.json'],
};
/** The separate modules, each with an SDK client, by the declared use of a function. */
const APART_BY_USE = {
  bus: 'aws-bus',
  mail: 'aws-mail',
  operations: 'aws-functions',
  scheduler: 'aws-scheduler',
} as const;
/** The modules that are bundled separately. */
export const APART: string[] = Object.values(APART_BY_USE);

export interface BuiltFunction {
  /** Its own output of the bundler. */
  output: string;
  uses: FunctionUses;
}

/**
 * Makes `<folder>/assets/<function>` of `<folder>/functions`: the files of the build that this function
 * can load, at its start or later. A change of the sources then changes the assets of the functions that load it,
 * and no others.
 */
export function writeAssets(folder: string, functions: BuiltFunction[], outputs: Metafile['outputs']): void {
  const functionsFolder = join(folder, 'functions');
  const assetsFolder = join(folder, 'assets');
  rmSync(assetsFolder, { recursive: true, force: true });
  for (const { output, uses } of functions) {
    const name = basename(output, '.mjs');
    const files = [
      'package.json',
      ...(DATA_FILES[name] ?? []),
      ...listApart(uses),
      ...listLoadable(output, outputs),
    ];
    for (const file of files) {
      const target = join(assetsFolder, name, file);
      mkdirSync(dirname(target), { recursive: true });
      linkSync(join(functionsFolder, file), target);
    }
  }
}

const listApart = (uses: FunctionUses): string[] =>
  Object.entries(APART_BY_USE).flatMap(([use, name]) =>
    uses[use as keyof typeof APART_BY_USE] ? [`apart/${name}.mjs`] : [],
  );

/** All outputs that an output can load, by their paths in the folder of functions. */
function listLoadable(output: string, outputs: Metafile['outputs']): string[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, external } of outputs[file]?.imports ?? []) if (!external) visit(path);
  };
  visit(output);
  const top = dirname(output);
  return [...seen].map((file) => file.slice(top.length + 1));
}
