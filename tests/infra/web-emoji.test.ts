import data from 'emojibase-data/en/data.json' with { type: 'json' };
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { emojiTable } from '#infra/web/emoji-table.ts';

test('The table of emoji has every emoji in the order of keyboards, without skin tones and parts of others', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { default } from '#web/parts/emoji-table.json';", resolveDir: '.' },
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [emojiTable],
  });
  const table = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`);
  const rows: [code: string, group: number, words: string][] = table.default;
  expect([...new Set(rows.map(([, group]) => group))]).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9]);
  expect(rows.length).toBeGreaterThan(1_800);
  const inOrder = data
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map(({ hexcode }) => hexcode.toLowerCase());
  const codes = rows.map(([code]) => code);
  expect(codes).toEqual(inOrder.filter((code) => codes.includes(code)));
  expect(rows[0]).toEqual(['1f600', 0, expect.stringContaining('grin')]);
  expect(rows.filter(([code, , words]) => !/^[0-9a-f-]+$/.test(code) || typeof words !== 'string')).toEqual(
    [],
  );
});
