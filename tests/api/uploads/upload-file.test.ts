import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { attachmentAt, formOf, getAt, textOf, tryUpload, upload } from './files.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);

const usedSpace = async (): Promise<number> => (await ada.get('/attachments')).body.upload_space_used;

describe('Uploading a file', () => {
  test('Returns an address that works for its owner', async () => {
    const { status, body } = await tryUpload(ada, { name: 'plan.txt', content: 'Monday' });
    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      url: expect.stringMatching(/^\/user_uploads\/2\/[^/]+\/[^/]+\/plan\.txt$/),
      uri: body.url,
      filename: 'plan.txt',
    });
    expect(textOf(await getAt(body.url, ada))).toBe('Monday');
  });

  test('Notifies its owner and no other user, with the total size of all files', async () => {
    const used = await usedSpace();
    const own = await ada.listen();
    const others = await Promise.all([service.owner, bo].map((client) => client.listen()));
    let url = '';
    await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
      url = await upload(ada, 'plan.txt', { content: 'Monday' });
    });
    const attachment = await attachmentAt(ada, url);
    expect(await own.drain()).toEqual([
      { id: expect.any(Number), type: 'attachment', op: 'add', attachment, upload_space_used: used + 6 },
    ]);
    for (const queue of others) expect(await queue.drain()).toEqual([]);
  });

  test('Counts every byte if many upload at the same time', async () => {
    const before = await usedSpace();
    await Promise.all([ada, bo, guest, ada, bo].map((client) => upload(client)));
    expect(await usedSpace()).toBe(before + 25);
  });
});

describe('An upload is refused', () => {
  test('Without a file', async () => {
    expectRefusal(
      await ada.post('/user_uploads', {}, { rawBody: formOf() }),
      'You must specify a file to upload',
    );
    expectRefusal(await ada.post('/user_uploads', {}), 'You must specify a file to upload');
  });

  test('With several files', async () => {
    expectRefusal(
      await ada.post('/user_uploads', {}, { rawBody: formOf({ name: 'a.txt' }, { name: 'b.txt' }) }),
      'You may only upload one file at a time',
    );
  });

  test('Above the size limit in register', async () => {
    const { snapshot } = await ada.register({ fetch_event_types: ['realm'] });
    expect(snapshot.max_file_upload_size_mib).toBe(25);
    const before = await usedSpace();
    const fits = new Uint8Array(4 * 1024 * 1024);
    expectRefusal(
      await tryUpload(ada, { name: 'big.bin', content: new Uint8Array(fits.length + 1) }),
      'Uploaded file is larger than the allowed limit of 4 MiB',
    );
    expect(await usedSpace()).toBe(before);
    const url = await upload(ada, 'big.bin', { content: fits });
    expect((await getAt(url, ada)).body).toHaveLength(fits.length);
  });
});

describe('The name of a file', () => {
  test.each([
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['..', 'uploaded-file', 'uploaded-file'],
    ['.htaccess', '.htaccess', 'htaccess'],
    ['r\u00e9sum\u00e9.pdf', 'r\u00e9sum\u00e9.pdf', 'resume.pdf'],
    ['\u65e5\u672c\u8a9e.png', '\u65e5\u672c\u8a9e.png', 'png'],
    ['photo\u202egnp.exe', 'photognp.exe', 'photognp.exe'],
    ['what (a file)...', 'what (a file)...', 'what-a-file'],
    ['a?b#c%d&e.txt', 'a?b#c%d&e.txt', 'a-b-c-d-e.txt'],
    [`${'x'.repeat(300)}.txt`, `${'x'.repeat(196)}.txt`, `${'x'.repeat(76)}.txt`],
  ])('Changes from %j to %j for people and %j in its address', async (given, name, inAddress) => {
    const { body } = await tryUpload(ada, { name: given });
    expect(body.filename).toBe(name);
    expect(body.url.split('/').at(-1)).toBe(inAddress);
    expect(await attachmentAt(ada, body.url)).toMatchObject({ name });
    expect((await getAt(body.url, ada)).status).toBe(200);
  });
});
