import { expect, test } from 'vitest';
import { describeFile } from '#infra/web/build.ts';

test('a file of the web client is described by its size, its compressed size and its path, in columns', () => {
  const script = {
    path: 'assets/main.js',
    contentType: 'text/javascript',
    bytes: 120_000,
    isCompressed: true,
  };
  const sound = { path: 'assets/ping.mp3', contentType: 'audio/mpeg', bytes: 9_000, isCompressed: false };
  expect([describeFile({ ...script, brotliBytes: 31_000 }), describeFile(sound)]).toEqual([
    '  120000    31000 assets/main.js',
    '    9000          assets/ping.mp3',
  ]);
});
