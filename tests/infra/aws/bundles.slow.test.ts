import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bundleOptions } from '#infra/build/build.ts';
import { createTable } from '#infra/local/create-table.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import type { DynamoTable } from '#shared/table/dynamo-table.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { startEngine } from '#tests/harness/wire-engine/engine.ts';
import { ROOT } from '#tests/infra/root.ts';
import { makeBuildFolder, stubAws } from './build-outputs.ts';

const folder = makeBuildFolder();

/** Bundles a module as the functions are, and loads the bundle. */
async function bundle(name: string, source: Pick<BuildOptions, 'stdin' | 'entryPoints'>) {
  const outfile = join(folder, name);
  const { splitting: _, ...options } = bundleOptions;
  await build({ ...options, ...source, outfile });
  return import(outfile);
}

describe('A bundle', () => {
  it('Reports the reason of a failed write', async () => {
    const { endpoint } = await startEngine();
    stubAws(endpoint);
    await createTable({ endpoint, tableName: 'refusing' });
    const contents = `export { DynamoTable } from '#shared/table/dynamo-table.ts';
      export { ConditionFailed, TransactionCanceled } from '#shared/table/table.ts';`;
    const bundled = await bundle('table.mjs', { stdin: { contents, resolveDir: ROOT } });
    const table: DynamoTable = new bundled.DynamoTable({ tableName: 'refusing' });
    const put = {
      kind: 'put' as const,
      item: { ...logKeys.lowWaterMark(), position: 1 },
      condition: { exists: false },
    };
    await table.write(put);
    const failed = await table.write(put).catch((failure) => failure);
    expect(failed).toBeInstanceOf(bundled.ConditionFailed);
    expect(failed.existing).toMatchObject({ position: 1 });
    const canceled = await table.transact([put], 'token').catch((failure) => failure);
    expect(canceled).toBeInstanceOf(bundled.TransactionCanceled);
    expect(canceled).toMatchObject({
      isConflict: false,
      failed: [{ index: 0, existing: { position: 1 } }],
    });
  });

  it('Renders messages as the source does', async () => {
    const source = { entryPoints: [join(ROOT, 'shared/markdown/render.ts')] };
    const bundled = (await bundle('render.mjs', source)).renderMarkdown as typeof renderMarkdown;
    for (const sample of SAMPLES) expect(bundled(sample)).toEqual(renderMarkdown(sample));
    expect(bundled('&amp; &copy; &#x41; &ngE;').html).toBe('<p>&amp; © A ≧̸</p>');
  });
});

const SAMPLES = [
  '**b** *i* ~~s~~ `c<` &lt;b&gt; &hearts; &nosuch;',
  '[t](https://a.b/?x=1&amp;y=2 "x&quot;y") <https://a.b> https://例え.jp/ü',
  '![](http://a/b.png) <b style="color:red" onclick="x">x</b>',
  '| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n3. x\n   - y\n\n> q\n\n```js &amp;\n<p style="x">\n```',
];
