import { beforeEach, describe, expect, test } from 'vitest';
import { bootstrapOrganization } from '#functions/bootstrap.ts';
import { sweep } from '#functions/workers/sweep.ts';
import { DELETION_BEGAN, reopenOrganization } from '#shared/actions/organization/close-organization.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { MailMessage } from '#shared/runtime/services.ts';
import { findClosure } from '#shared/store/organization/organization.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { schedule } from '#tests/api/scheduled-messages/schedules.ts';
import { upload } from '#tests/api/uploads/files.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService, type TestService } from '#tests/harness/service.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

let service: TestService;
let owner: Client;
let mails: MailMessage[];
beforeEach(async () => {
  mails = [];
  service = await startTestService({}, { onMail: (mail) => mails.push(mail) });
  ({ owner } = service);
});

async function deactivate(days: number): Promise<void> {
  const { status, body } = await owner.post('/realm/deactivate', { deletion_delay_days: days });
  expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
  await service.settle();
}

async function sweepAfter(ms: number): Promise<void> {
  service.advance(ms);
  await sweep(service.services);
  await service.settle();
}

/** Lets the deletion begin, and lets it end an hour later. */
async function erase(): Promise<void> {
  await sweepAfter(DAY_MS);
  await sweepAfter(HOUR_MS);
}

async function listKeys(): Promise<Key[]> {
  const found: Key[] = [];
  let after: Key | undefined;
  do {
    const { keys, next } = await service.services.table.scanKeys(after);
    found.push(...keys);
    after = next;
  } while (after);
  return found;
}

const expectErased = async (): Promise<void> => {
  expect(await listKeys()).toEqual([organizationKeys.closure()]);
  const { erasedAtSeconds, byUserId } = (await findClosure(service.services.table)) ?? {};
  expect([erasedAtSeconds, byUserId]).toEqual([expect.any(Number), undefined]);
};

const expectDeleted = (reply: Reply): void =>
  expectRefusal(reply, 'This organization has been deleted', { status: 401, code: 'REALM_DEACTIVATED' });

const bootstrap = (organizationName: string, reactivates = false) => {
  const params = { organizationName, url: service.url, ownerEmail: owner.email, reactivates };
  return bootstrapOrganization(service.services, params);
};
const reactivate = () => bootstrap('ignored', true);

describe('An organization that was deactivated with a delay', () => {
  test('Keeps its data until the delay has passed, and then loses all items and files', async () => {
    const channelId = await owner.subscribe('room');
    const message = await owner.send(channelId, 'x', 'a secret');
    expect(await upload(owner, 'secret.txt')).toMatch(/\/user_uploads\/./);
    const { files } = service.services;
    await files.put('exports/1/archive.zip', Buffer.from('x'));
    await deactivate(2);
    await sweepAfter(2 * DAY_MS - 60_000);
    await sweepAfter(0);
    expect((await findClosure(service.services.table))?.erasingSinceSeconds).toBeUndefined();
    await reactivate();
    expect((await owner.get(`/messages/${message}`)).status).toBe(200);
    await deactivate(1);
    await erase();
    await expectErased();
    expect(await files.find('exports/1/archive.zip')).toBeUndefined();
  });

  test('Stays if an operator reactivates it before, even after that day', async () => {
    await deactivate(1);
    await reactivate();
    await sweepAfter(2 * DAY_MS);
    await sweepAfter(HOUR_MS);
    expect((await owner.get('/users/me')).status).toBe(200);
    await deactivate(0);
    await sweepAfter(400 * DAY_MS);
    await sweepAfter(HOUR_MS);
    await reactivate();
    expect((await owner.get('/users/me')).status).toBe(200);
  });

  test('Mails every active owner the date, and no one else', async () => {
    const other = await createUser(service, 'Other', roles.owner);
    const gone = await createUser(service, 'Gone', roles.owner);
    await createUser(service, 'Ada', roles.administrator);
    expect((await owner.delete(`/users/${gone.userId}`)).status).toBe(200);
    await service.settle();
    mails.length = 0;
    await deactivate(30);
    const end = new Date(service.services.clock.nowMs() + 30 * DAY_MS).toUTCString();
    expect(mails.map(({ to }) => to).sort()).toEqual([other.email, owner.email].sort());
    for (const { subject, text } of mails) {
      expect(subject).toBe('Team Chat was deactivated and will be deleted');
      expect(text).toContain(end.slice(0, 16));
      expect(text).toContain('Owner deactivated');
    }
  });

  test('Does not lose data to writes of accounts, jobs and scheduled messages that were pending', async () => {
    const channelId = await owner.subscribe('later');
    const atSeconds = Math.floor(service.services.clock.nowMs() / 1000);
    const scheduled = { type: 'channel', to: channelId, topic: 'x', content: 'later' };
    await schedule(owner, { ...scheduled, scheduled_delivery_timestamp: atSeconds + 3600 });
    expect((await owner.post('/export/realm')).status).toBe(200);
    await deactivate(1);
    await erase();
    await sweepAfter(DAY_MS);
    await expectErased();
  });
});

describe('Reactivating an organization at the last moment', () => {
  test('Either prevents the deletion or is refused', async () => {
    await deactivate(1);
    service.advance(DAY_MS);
    const [, reopened] = await Promise.allSettled([
      sweep(service.services),
      reopenOrganization(service.services),
    ]);
    const closure = await findClosure(service.services.table);
    if (reopened.status === 'fulfilled') expect(closure).toBeUndefined();
    else expect(closure?.erasingSinceSeconds).toEqual(expect.any(Number));
  });

  test('Wins if it comes between the read and the write of the sweep', async () => {
    await deactivate(1);
    const { table } = service.services;
    const write = table.write.bind(table);
    let isFirst = true;
    table.write = async (change, options) => {
      if (isFirst && change.kind === 'update' && change.key.sk === organizationKeys.closure().sk) {
        isFirst = false;
        await reopenOrganization(service.services);
      }
      return write(change, options);
    };
    await erase();
    expect(isFirst).toBe(false);
    expect((await owner.get('/users/me')).status).toBe(200);
  });

  test('Fails once the deletion has begun', async () => {
    await deactivate(1);
    await sweepAfter(DAY_MS);
    await expect(reactivate()).rejects.toThrow(DELETION_BEGAN);
    await sweepAfter(HOUR_MS);
    await expect(reactivate()).rejects.toThrow(DELETION_BEGAN);
    await expectErased();
  });
});

describe('The deletion of an organization', () => {
  test('Waits until what ran before it has ended', async () => {
    await deactivate(1);
    await sweepAfter(DAY_MS);
    await sweepAfter(10 * 60_000);
    expect((await listKeys()).length).toBeGreaterThan(10);
    expectDeleted(await owner.get('/users/me'));
    await sweepAfter(11 * 60_000);
    await expectErased();
  });

  test('Continues in a later run if one ends early', async () => {
    await deactivate(1);
    await sweepAfter(DAY_MS);
    const { table } = service.services;
    const scanKeys = table.scanKeys.bind(table);
    let pages = 0;
    table.scanKeys = async (after) => {
      pages++;
      // Each page takes longer than a run may.
      service.advance(5 * 60_000);
      const { keys } = await scanKeys(after);
      const few = keys.slice(0, 10);
      return { keys: few, next: few.length < keys.length ? few.at(-1) : undefined };
    };
    await sweepAfter(HOUR_MS);
    expect(pages).toBeGreaterThan(2);
    table.scanKeys = scanKeys;
    await expectErased();
  });

  test('Continues after a failure', async () => {
    await deactivate(1);
    await sweepAfter(DAY_MS);
    const { table } = service.services;
    const write = table.write.bind(table);
    let deletes = 0;
    table.write = (change, options) => {
      if (change.kind === 'delete' && ++deletes === 5) throw new Error('lost');
      return write(change, options);
    };
    await sweepAfter(HOUR_MS);
    await sweepAfter(HOUR_MS);
    expect(takeErrors()).toEqual(['A job failed']);
    await expectErased();
  });

  test('Leaves an answer to every request: a refusal, and no failure', async () => {
    await deactivate(1);
    await erase();
    expectDeleted(await owner.get('/users/me'));
    expectDeleted(await owner.post('/register'));
    expectDeleted(await owner.get('/server_settings'));
    expectDeleted(await owner.post('/fetch_api_key', { username: owner.email, password: PASSWORD }));
    expectDeleted(await owner.post('/join', { key: 'k', full_name: 'New', password: PASSWORD }));
    expectDeleted(await owner.get('/users/me', {}, { headers: { authorization: 'Basic YTpi' } }));
    expectDeleted(await owner.get('/users/me', {}, { headers: { authorization: '' } }));
    expectDeleted(await owner.post('/realm/deactivate'));
    for (const path of ['/avatar/4', '/user_uploads/2/ab/cd/x.txt', '/', '/login/', '/health'])
      expect((await sendTo(`${service.url}${path}`)).status, path).toBeLessThan(500);
    await expectErased();
  });

  test('Cannot be undone by a sweep, a bootstrap or a second deletion', async () => {
    await deactivate(1);
    await erase();
    await expect(bootstrap('Another')).rejects.toThrow(DELETION_BEGAN);
    await sweepAfter(DAY_MS);
    await sweepAfter(DAY_MS);
    await expectErased();
  });
});
