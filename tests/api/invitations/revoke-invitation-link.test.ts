import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { keyMailedTo, keyOf } from '#tests/harness/mails.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { invite, listFor, makeLink, newAddress } from './invitation-calls.ts';

const INVALID =
  'This invitation is not valid: it has been used, has ended or was taken back, or there never was one.';

const service = await startTestService();
const owner = service.owner;
const admin = await createUser(service, 'Admin', roles.administrator);
const member = await createUser(service, 'Member');

const revoke = (client: Client, id: number | string) => client.delete(`/invites/multiuse/${id}`);

test('A revoked link stops working, and so do the confirmations from it', async () => {
  const { id, link_url } = await makeLink(admin);
  const key = keyOf(link_url) ?? '';
  const email = newAddress();
  expect((await sendForm(service.url, '/join/confirmation', { key, email })).status).toBe(200);
  await service.settle();
  expect((await revoke(admin, id)).status).toBe(200);
  expect((await listFor(owner)).map((one) => one.id)).not.toContain(id);
  expectRefusal(await sendForm(service.url, '/join/confirmation', { key, email: newAddress() }), INVALID);
  const confirmed = { key: keyMailedTo(service, email), full_name: 'Late', password: PASSWORD };
  expectRefusal(await sendForm(service.url, '/join', confirmed), INVALID);
});

test('A link that is revoked while a user joins by it does not let them in', async () => {
  const { id, link_url } = await makeLink(admin);
  const email = newAddress();
  await sendForm(service.url, '/join/confirmation', { key: keyOf(link_url) ?? '', email });
  await service.settle();
  const { table } = service.services;
  const transact = table.transact.bind(table);
  let isOvertaken = false;
  table.transact = async (...joining) => {
    table.transact = transact;
    isOvertaken = (await revoke(admin, id)).status === 200;
    await transact(...joining);
  };
  const confirmed = { key: keyMailedTo(service, email), full_name: 'Late', password: PASSWORD };
  expectRefusal(await sendForm(service.url, '/join', confirmed), INVALID);
  expect(isOvertaken).toBe(true);
  const { members } = (await owner.get('/users')).body;
  expect(members.map((one: { full_name: string }) => one.full_name)).not.toContain('Late');
});

test('A link can be revoked once, however many requests race', async () => {
  const { id } = await makeLink(admin);
  const replies = await Promise.all(Array.from({ length: 5 }, () => revoke(admin, id)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const reply of replies)
    if (reply.status !== 200) expectRefusal(reply, 'Invitation has already been revoked');
  expectRefusal(await revoke(owner, id), 'Invitation has already been revoked');
});

test('Its creator and every administrator may revoke a link, and no other user', async () => {
  await owner.patch('/realm', { create_multiuse_invite_group: { new: 6 } });
  const other = await createUser(service, 'Other');
  const { id } = await makeLink(member);
  expectRefusal(await revoke(other, id), 'No such invitation');
  for (const client of [member, admin, owner])
    expect((await revoke(client, (await makeLink(member)).id)).status).toBe(200);
  const forOwners = await makeLink(owner, { invite_as: roles.owner });
  expectRefusal(await revoke(admin, forOwners.id), 'Must be an organization owner', {
    code: 'UNAUTHORIZED_PRINCIPAL',
  });
});

test('Revoking fails for an unknown id and for an invitation by e-mail', async () => {
  for (const id of [0, 999_999, (await invite(member)).id])
    expectRefusal(await revoke(owner, id), 'No such invitation');
});
