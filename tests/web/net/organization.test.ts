import { expect, test } from 'vitest';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { openPage } from './page.ts';

const service = await startTestService();
const owner = service.owner;
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const page = await openPage(service, owner);
const { bots, groups, manyPeople, roster } = page.net;

const server = () => page.net.store.server.value;
const person = (userId: number) => page.net.store.people.value.get(userId);
const named = (list: string, name: string) =>
  server()[list].find((item: { name: string }) => item.name === name);

test('A user group gets members and subgroups and loses them, is edited, deactivated and reactivated', async () => {
  const id: number = await groups.createGroup('builders', 'They build', [ada.userId]);
  const inner: number = await groups.createGroup('painters', '', []);
  const group = () => named('realm_user_groups', 'builders');
  await page.sees(() => group()?.members.length === 2 && named('realm_user_groups', 'painters'));
  expect(group()).toMatchObject({
    ...{ id, description: 'They build', members: [owner.userId, ada.userId] },
    deactivated: false,
  });

  await groups.addMembers(id, [bo.userId]);
  await page.sees(() => group().members.includes(bo.userId));
  expect(await groups.removeMember(id, bo.userId)).toBe(true);
  await page.sees(() => !group().members.includes(bo.userId));
  await groups.addSubgroups(id, [inner]);
  await page.sees(() => group().direct_subgroup_ids.includes(inner));
  expect(await groups.removeSubgroup(id, inner)).toBe(true);
  await page.sees(() => group().direct_subgroup_ids.length === 0);
  await groups.editGroup(id, { description: 'They built' });
  await page.sees(() => group().description === 'They built');

  await groups.deactivateGroup(group());
  expect(page.notice()?.text).toBe('builders deactivated');
  await page.sees(() => group().deactivated);
  page.undo();
  await page.sees(() => !group().deactivated);
});

test('An account that may not be deactivated stays, and no notice says otherwise', async () => {
  const before = page.notice()?.text;
  const nobody = { ...person(ada.userId), user_id: 1_000_000 };
  await expect(roster.deactivatePerson(nobody, { deletes: [] })).rejects.toThrow('No such user');
  expect(page.notice()?.text).toBe(before);
});

test('A refusal to change a user group appears in the words of the service, and nothing else', async () => {
  const group = { id: 1_000_000, name: 'nothing' };
  expect(await groups.removeMember(group.id, ada.userId)).toBe(false);
  expect(page.notice()?.text).toBe('Couldn’t change the group: Invalid user group');
  expect(await groups.removeSubgroup(group.id, 1)).toBe(false);
  expect(page.notice()?.text).toBe('Couldn’t change the group: Invalid user group');
  expect(await groups.reactivateGroup(group)).toBe(false);
  expect(page.notice()?.text).toBe('Couldn’t reactivate nothing: Invalid user group');
  await groups.deactivateGroup(group);
  expect(page.notice()).toMatchObject({ text: 'Couldn’t deactivate nothing: Invalid user group' });
  expect(page.notice()?.action).toBeUndefined();
});

test('A role is granted and removed, for one person and for many', async () => {
  await roster.setRole(person(ada.userId), 300);
  expect(page.notice()?.text).toBe('Ada: role changed to moderator');
  await page.sees(() => person(ada.userId).role === 300);
  page.undo();
  await page.sees(() => person(ada.userId).role === 400);
  await manyPeople.setRoleOfMany([ada.userId, bo.userId], 200);
  expect(page.notice()?.text).toBe('2 people: role changed to administrator');
  await page.sees(() => person(ada.userId).is_admin && person(bo.userId).is_admin);
  page.undo();
  await page.sees(() => !person(ada.userId).is_admin && !person(bo.userId).is_admin);
  await page.sees(() => page.notice()?.text === 'Role restored for 2 people');
  await expect(manyPeople.setRoleOfMany([1_000_000, ada.userId], 300)).rejects.toThrow(
    'Unknown user: No such user',
  );
  await page.sees(() => person(ada.userId).role === 300);
  expect(page.notice()?.text).toBe('1 person: role changed to moderator');
  await roster.editPerson(ada.userId, { role: 400, full_name: 'Ada Byron' });
  await page.sees(() => person(ada.userId).full_name === 'Ada Byron' && person(ada.userId).role === 400);
  expect(roster.roleName(600)).toBe('Guest');
  expect(roster.roleName(0)).toBe('Member');
});

test('An account is deactivated with the chosen deletions, and reactivated', async () => {
  await roster.deactivatePerson(person(cy.userId), { deletes: ['delete_profile'], comment: 'Goodbye' });
  expect(page.calls.at(-1)).toEqual({
    call: `DELETE /users/${cy.userId}`,
    params: { actions: '{"delete_profile":true}', deactivation_notification_comment: 'Goodbye' },
  });
  expect(page.notice()?.text).toBe('Cy deactivated');
  await page.sees(() => person(cy.userId).is_active === false);
  page.undo();
  await page.sees(() => person(cy.userId).is_active);
  const [di] = await createUsers(service, 'Di');
  await page.sees(() => person(di.userId));
  for (const _time of ['first', 'second']) {
    await manyPeople.deactivateMany([cy.userId, di.userId]);
    expect(page.notice()?.text).toBe('2 people deactivated');
    await page.sees(() => !person(cy.userId).is_active && !person(di.userId).is_active);
    page.undo();
    await page.sees(() => person(cy.userId).is_active && person(di.userId).is_active);
    await page.sees(() => page.notice()?.text === '2 people reactivated');
  }
  await expect(manyPeople.deactivateMany([1_000_000, cy.userId])).rejects.toThrow('Unknown user: No such');
  expect(page.notice()?.text).toBe('1 person deactivated');
  await page.sees(() => !person(cy.userId).is_active);
  expect(await roster.reactivate(person(cy.userId))).toBe(true);
  await page.sees(() => person(cy.userId).is_active);
  page.refuseNext('Not today');
  expect(await roster.reactivate(person(cy.userId))).toBe(false);
  expect(page.notice()?.text).toBe('Couldn’t reactivate Deleted user: Not today');
});

test('A bot is created for its owner, has a key that can be renewed, and is reactivated', async () => {
  const bot = { name: 'Echo', shortName: 'echo', kind: 1, ownerId: ada.userId };
  const id: number = await bots.createBot(bot);
  await page.sees(() => person(id)?.bot_owner_id === ada.userId);
  expect(person(id)).toMatchObject({ full_name: 'Echo', bot_type: 1 });
  const key: string = await bots.readBotKey(id);
  const next: string = await bots.renewBotKey(id);
  expect(next).not.toBe(key);
  expect(await bots.readBotKey(id)).toBe(next);
  await bots.editBot(id, { full_name: 'Echo 2' });
  await page.sees(() => person(id).full_name === 'Echo 2');
  await roster.deactivateBot(person(id));
  await page.sees(() => person(id).is_active === false);
  expect(page.notice()?.text).toBe('Echo 2 deactivated');
  page.undo();
  await page.sees(() => person(id).is_active);

  const own: number = await bots.createBot({ ...bot, name: 'Own', shortName: 'own', ownerId: owner.userId });
  await page.sees(() => person(own)?.bot_owner_id === owner.userId);
  await bots.createBot({ ...bot, name: 'Lost', shortName: 'lost', ownerId: 1_000_000 });
  expect(page.notice()?.text).toMatch(
    /^You’re still the owner of Lost: couldn’t transfer it to Unknown user: /,
  );
});
