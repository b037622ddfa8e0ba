import { describe, expect, test } from 'vitest';
import { type FileLimits, type FormFile, takeFiles } from '#shared/api/files/uploads.ts';

const MEBIBYTE = 1024 * 1024;
const limits: FileLimits = { count: 1, maxMebibytes: 1, countError: 'One file, please' };
const part = (name: string, size: number, type = ''): FormFile => ({
  field: 'file',
  file: new File([new Uint8Array(size)], name, { type }),
});
const namesOf = async (given: FormFile[], more: Partial<FileLimits> = {}) =>
  (await takeFiles({ ...limits, ...more }, given)).map(({ name }) => name);

describe('The files of a form', () => {
  test('Exclude the empty part that a form sends if no file was chosen', async () => {
    expect(await namesOf([part('', 0), part('a.txt', 3)])).toEqual(['a.txt']);
    await expect(namesOf([part('', 0)])).rejects.toThrow('One file, please');
    await expect(namesOf([part('', 0)], { noneError: 'Choose a file' })).rejects.toThrow('Choose a file');
    expect(await namesOf([part('', 0)], { isOptional: true })).toEqual([]);
  });

  test('Include empty files, and files without a name', async () => {
    expect(await namesOf([part('empty.txt', 0)])).toEqual(['empty.txt']);
    expect(await namesOf([part('', 1)])).toEqual(['']);
    await expect(namesOf([part('a.txt', 1), part('', 1)])).rejects.toThrow('One file, please');
  });

  test('May have exactly the size limit', async () => {
    expect(await namesOf([part('a.txt', MEBIBYTE)])).toEqual(['a.txt']);
    await expect(namesOf([part('a.txt', MEBIBYTE + 1)])).rejects.toThrow(
      'Uploaded file is larger than the allowed limit of 1 MiB',
    );
  });

  test('Contain bytes if the form has no type for them', async () => {
    const types = await takeFiles({ ...limits, count: 2 }, [part('a', 1), part('b', 1, 'text/plain')]);
    expect(types.map(({ mediaType }) => mediaType)).toEqual(['application/octet-stream', 'text/plain']);
  });
});
