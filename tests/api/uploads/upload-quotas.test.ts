import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { uploadKeys } from '#shared/table/keys/uploads.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { deleteFile, listFiles, tryUpload, upload } from './files.ts';

const service = await startTestService({ uploadQuotas: { organization: 3, account: 2, accountPerDay: 4 } });
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const DAY_MS = 24 * 3600 * 1000;
const MEBIBYTE = 1024 * 1024;
const fileOf = (mebibytes: number) => ({ name: 'a.bin', content: new Uint8Array(mebibytes * MEBIBYTE) });
const attempt = (client: Client, mebibytes: number) => tryUpload(client, fileOf(mebibytes));
const refuse = (reply: Reply, whose = 'your upload quota.') =>
  expectRefusal(reply, `Upload would exceed ${whose}`, { code: 'REALM_UPLOAD_QUOTA' });
const OF_ALL = "your organization's upload quota.";
const OF_DAY = 'what you may upload in a day.';
const used = async (client: Client) => (await listFiles(client)).upload_space_used / MEBIBYTE;

async function removeAll(...clients: Client[]): Promise<void> {
  for (const client of clients)
    for (const { id } of (await listFiles(client)).attachments)
      expect((await client.delete(`/attachments/${id}`)).status).toBe(200);
  await service.settle();
  service.advance(DAY_MS);
}

describe('The storage quota of an account', () => {
  test('Holds to the last byte, and deleting frees it', async () => {
    const url = await upload(ada, 'whole.bin', fileOf(2));
    const refused = await tryUpload(ada, { name: 'one.bin', content: new Uint8Array(1) });
    refuse(refused);
    const space = { attachments: [{ size: 2 * MEBIBYTE }], upload_space_used: 2 * MEBIBYTE };
    expect(await listFiles(ada)).toMatchObject(space);
    await deleteFile(ada, url);
    expect((await attempt(ada, 2)).status).toBe(200);
    await removeAll(ada);
  });

  test('Leaves nothing of a file that no longer fits after its upload', async () => {
    const { files } = service.services;
    const { putPieces, remove } = files;
    const kept = new Set<string>();
    files.putPieces = async (name, pieces) => {
      kept.add(name);
      if (kept.size === 1) expect((await attempt(ada, 1.5)).status).toBe(200);
      await putPieces.call(files, name, pieces);
    };
    files.remove = async (name) => {
      kept.delete(name);
      await remove.call(files, name);
    };
    try {
      refuse(await attempt(ada, 1));
    } finally {
      Object.assign(files, { putPieces, remove });
    }
    expect([...kept]).toHaveLength(1);
    expect(await used(ada)).toBe(1.5);
    await removeAll(ada);
  });

  test('Holds for simultaneous uploads', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => attempt(ada, 0.75)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await used(ada)).toBe(1.5);
    await removeAll(ada);
  });

  test('Counts files from before quotas existed', async () => {
    await upload(ada, 'old.bin', fileOf(1.5));
    await service.services.table.write({ kind: 'delete', key: uploadKeys.ownSpace(ada.userId) });
    refuse(await attempt(ada, 1));
    expect((await attempt(ada, 0.5)).status).toBe(200);
    await removeAll(ada);
  });
});

describe('The daily upload quota of an account', () => {
  test('Counts deleted files as well, and starts again after a day', async () => {
    for (let times = 0; times < 2; times++) {
      const url = await upload(bo, 'two.bin', fileOf(2));
      await deleteFile(bo, url);
    }
    refuse(await attempt(bo, 1), OF_DAY);
    expect((await attempt(ada, 1)).status).toBe(200);
    service.advance(DAY_MS);
    expect((await attempt(bo, 1)).status).toBe(200);
    await removeAll(ada, bo);
  });
});

test('A small file counts 32 KiB for the day, and its own size for storage', async () => {
  const small = await startTestService({ uploadQuotas: { organization: 3, account: 2, accountPerDay: 1 } });
  const [cy] = await createUsers(small, 'Cy');
  const byte = { name: 'one.bin', content: new Uint8Array(1) };
  for (let count = 0; count < 32; count++) expect((await tryUpload(cy, byte)).status).toBe(200);
  refuse(await tryUpload(cy, byte), OF_DAY);
  expect((await listFiles(cy)).upload_space_used).toBe(32);
});

describe('The storage quota of the organization', () => {
  test('Applies to all users together, and register returns its setting', async () => {
    const { snapshot } = await ada.register({ fetch_event_types: ['realm'] });
    expect(snapshot.realm_upload_quota_mib).toBe(3);
    await upload(ada, 'a.bin', fileOf(2));
    await upload(bo, 'b.bin', fileOf(1));
    const refused = await tryUpload(bo, { name: 'one.bin', content: new Uint8Array(1) });
    refuse(refused, OF_ALL);
    await removeAll(ada, bo);
    expect(await used(ada)).toBe(0);
  });

  test('Becomes available again when the sweep deletes files without a message after a day', async () => {
    await upload(ada, 'a.bin', fileOf(2));
    refuse(await attempt(bo, 2), OF_ALL);
    service.advance(DAY_MS + 1_000);
    await sweep(service.services);
    await service.settle();
    expect(await used(ada)).toBe(0);
    expect((await attempt(bo, 2)).status).toBe(200);
  });
});
