import { expect, test } from 'vitest';
import { readMetadata } from '#shared/domain/uploads/tus.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['filename and filetype', `filename ${base64('a.txt')},filetype ${base64('text/plain')}`],
  ['name and type', `name ${base64('a.txt')},type ${base64('text/plain')}`],
  [
    'spaces around pairs and between their words',
    ` filename   ${base64('a.txt')} ,  filetype ${base64('text/plain')} `,
  ],
])('The metadata of an upload names it by %s', (_how, header) => {
  expect(readMetadata(header)).toEqual({ name: 'a.txt', mediaType: 'text/plain' });
});

test('The metadata of an upload are read up to 4096 characters', () => {
  const pair = `filename ${base64('a.txt')}`;
  const padded = (length: number) => `${'x'.repeat(length - pair.length - 1)},${pair}`;
  const unnamed = readMetadata('').name;
  expect(readMetadata(padded(4_096)).name).toBe('a.txt');
  expect(readMetadata(`${'x'.repeat(4_096)},${pair}`).name).toBe(unnamed);
  expect(unnamed).not.toBe('a.txt');
});
