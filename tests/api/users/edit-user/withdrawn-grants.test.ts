import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { keyMailedTo, keyOf } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { createBot } from '../../bots/bots.ts';
import { invite, listFor, makeLink, newAddress } from '../../invitations/invitation-calls.ts';
import { INVALID, inviteKey, joinBy, tryConfirm, tryJoin } from '../../joining/joining-calls.ts';
import { userAs } from '../accounts.ts';

let admin: Client;
const service = await startTestService();
const owner = service.owner;
beforeEach(async () => {
  admin = await createUser(service, 'Admin', roles.administrator);
});

const setRole = async (client: Client, role: number): Promise<void> => {
  expect((await owner.patch(`/users/${client.userId}`, { role })).status).toBe(200);
};

describe('A demoted administrator', () => {
  test('Loses links and invitations for roles that they may no longer grant, even before the job runs', async () => {
    const link = await makeLink(admin, { invite_as: roles.administrator });
    const key = keyOf(link.link_url) ?? '';
    const email = newAddress();
    expect((await tryConfirm(service, { key, email })).status).toBe(200);
    await service.settle();
    const confirmed = keyMailedTo(service, email);
    const invited = await inviteKey(service, admin, { invite_as: roles.moderator });
    const release = holdJobs(service);
    await setRole(admin, roles.member);
    expectRefusal(await tryConfirm(service, { key, email: newAddress() }), INVALID);
    const late = { key: confirmed, full_name: 'Late', password: PASSWORD };
    expectRefusal(await sendForm(service.url, '/join', late), INVALID);
    expectRefusal(await tryJoin(service, { key: invited.key }), INVALID);
    await release();
  });

  test('Keeps the invitations that members may create, and the others leave the list', async () => {
    const kept = await invite(admin);
    const raised = await invite(admin, { invite_as: roles.administrator });
    const link = await makeLink(admin);
    await setRole(admin, roles.member);
    await service.settle();
    const ids = (await listFor(owner)).map(({ id }) => id);
    expect(ids).toContain(kept.id);
    expect(ids).not.toContain(raised.id);
    // Members make no links here.
    expect(ids).not.toContain(link.id);
    await joinBy(service, { key: keyMailedTo(service, kept.email), email: kept.email });
  });

  test('Keeps all invitations if promoted again before the job runs', async () => {
    const link = await makeLink(admin, { invite_as: roles.administrator });
    const release = holdJobs(service);
    await setRole(admin, roles.member);
    await setRole(admin, roles.administrator);
    await release();
    await service.settle();
    const confirmed = { key: keyOf(link.link_url) ?? '', email: newAddress() };
    expect((await tryConfirm(service, confirmed)).status).toBe(200);
  });

  test('Owns no bots of a higher role', async () => {
    const [bot, plain] = [await createBot(admin), await createBot(admin)];
    await setRole(bot, roles.administrator);
    await setRole(admin, roles.moderator);
    await service.settle();
    expect((await userAs(owner, bot)).role).toBe(roles.moderator);
    expect((await userAs(owner, plain)).role).toBe(roles.member);
    await setRole(admin, roles.guest);
    await service.settle();
    expect((await userAs(owner, plain)).role).toBe(roles.guest);
  });

  test('Adds nobody to a private channel that they have left', async () => {
    const room = await createChannel(service, [admin], { invite_only: true });
    const open = await createChannel(service, [admin]);
    const { key, email } = await inviteKey(service, admin, { stream_ids: [room.channelId, open.channelId] });
    await setRole(admin, roles.member);
    await admin.delete('/users/me/subscriptions', { subscriptions: [room.name] });
    const newcomer = await joinBy(service, { key, email });
    const { subscriptions } = (await newcomer.get('/users/me/subscriptions')).body;
    const ids = subscriptions.map(({ stream_id }: { stream_id: number }) => stream_id);
    expect(ids).toContain(open.channelId);
    expect(ids).not.toContain(room.channelId);
  });
});

describe('The address of an export', () => {
  const addressOf = async (client: Client): Promise<string> => {
    const { body } = await client.get('/export/realm');
    return body.exports.at(-1).export_url;
  };
  const download = async (address: string) => (await fetch(address, { redirect: 'manual' })).status;

  test('Ends with the rights of its viewers, and administrators get another', async () => {
    expect((await owner.post('/export/realm')).status).toBe(200);
    await service.settle();
    const seen = await addressOf(admin);
    expect(await download(seen)).toBe(302);
    await setRole(admin, roles.member);
    await service.settle();
    expect(await download(seen)).toBe(404);
    const next = await addressOf(owner);
    expect(await download(next)).toBe(302);
    const other = await createUser(service, 'Other', roles.administrator);
    await service.deactivate(other);
    expect(await download(next)).toBe(404);
  });
});
