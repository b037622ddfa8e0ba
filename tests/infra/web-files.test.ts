import { expect, test } from 'vitest';
import { describeBuild } from '#infra/web/build.ts';

test('A build of the web client is described by the sizes of its files in columns, and by the first load', () => {
  const script = {
    path: 'assets/main.js',
    contentType: 'text/javascript',
    bytes: 120_000,
    isCompressed: true,
  };
  const sound = { path: 'assets/ping.mp3', contentType: 'audio/mpeg', bytes: 9_000, isCompressed: false };
  const files = [{ ...script, brotliBytes: 31_000 }, sound];
  expect(describeBuild({ files, firstScriptBytes: 31_000, sources: [] }).split('\n')).toEqual([
    '  120000    31000 assets/main.js',
    '    9000          assets/ping.mp3',
    'First load: 31000 bytes of compressed script.',
  ]);
});
