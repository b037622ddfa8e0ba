import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type EmailVisibility, emailVisibilities, roles } from '#shared/domain/users/user.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, EventQueue, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { newest, term } from '../messages/lists/message-lists.ts';
import { createRoles } from './accounts.ts';
import { dummyOf, showAddressTo } from './addresses.ts';

const service = await startTestService();
const { owner, administrator, moderator, member, guest } = await createRoles(service);

const { everyone, members, administrators, nobody: noOne, moderators } = emailVisibilities;
const people = [owner, administrator, moderator, member, guest];
const digestOf = (email: string) => createHash('md5').update(email).digest('hex');
const hiddenPerson = async (visibility: EmailVisibility) => {
  const person = await createUser(service, 'Hidden');
  await showAddressTo(person, visibility);
  return person;
};

describe('The visibility of a real address', () => {
  const cases = [
    [everyone, 5],
    [members, 4],
    [moderators, 3],
    [administrators, 2],
    [noOne, 0],
  ] as const;
  const hidden = new Map<number, Client>();
  beforeAll(async () => {
    for (const [visibility] of cases) hidden.set(visibility, await hiddenPerson(visibility));
  });
  const lookOf = (visibility: number, isSeer: boolean) => {
    const person = hidden.get(visibility) as Client;
    const email = visibility === everyone ? person.email : dummyOf(service, person);
    return { person, expected: { email, delivery_email: isSeer ? person.email : null } };
  };

  test.each(cases)(
    'With the setting %i includes the first %i of owner, administrator, moderator, member, guest',
    async (visibility, seers) => {
      for (const [index, viewer] of people.entries()) {
        const { person, expected } = lookOf(visibility, index < seers);
        const byId = (await viewer.get(`/users/${person.userId}`)).body.user;
        expect(byId).toMatchObject(expected);
        const { body } = await viewer.get('/users', { user_ids: [person.userId] });
        expect(body.members).toEqual([byId]);

        const reply = await viewer.get(`/users/${person.email.toUpperCase()}`);
        if (index < seers) expect(reply.body.user).toEqual(byId);
        else expectRefusal(reply, 'No such user');
        expect((await viewer.get(`/users/${dummyOf(service, person).toUpperCase()}`)).body.user).toEqual(
          byId,
        );
      }
    },
  );

  test('Applies in register too', async () => {
    for (const [index, viewer] of people.entries()) {
      const { realm_users } = (await viewer.register({ fetch_event_types: ['realm_user'] })).snapshot;
      for (const [visibility, seers] of cases) {
        const { person, expected } = lookOf(visibility, index < seers);
        const found = realm_users.find(({ user_id }: { user_id: number }) => user_id === person.userId);
        expect(found, `visibility ${visibility} for user ${viewer.userId}`).toMatchObject(expected);
      }
    }
  });

  test('Always includes the user', async () => {
    const person = await hiddenPerson(noOne);
    const email = dummyOf(service, person);
    const own = (await person.get('/users/me')).body;
    const { user } = (await person.get(`/users/${person.email}`)).body;
    for (const seen of [own, user, (await person.register()).snapshot])
      expect(seen).toMatchObject({ email, delivery_email: person.email });
  });

  test('Leaves a substitute that finds its user also after the organization moved to another host', async () => {
    const person = await hiddenPerson(noOne);
    const former = dummyOf(service, person);
    const move = (url: string) =>
      service.services.table.write({ kind: 'update', key: organizationKeys.organization(), set: { url } });
    await move('https://chat.example.org');
    for (const address of [former, former.toUpperCase(), `User${person.userId}@Chat.example.org`])
      expect((await owner.get(`/users/${address}`)).body.user.user_id, address).toBe(person.userId);
    await move(service.url);
  });

  const similar = ['user@x', 'user4@elsewhere.example', 'user999999@127.0.0.1'];
  test.each(similar)('Makes %s no user', async (address) => {
    expectRefusal(await owner.get(`/users/${address}`), 'No such user');
  });
});

describe('A change of an address’s visibility', () => {
  test('Keeps snapshot and events equal for every user', async () => {
    const changes = [
      [everyone, noOne],
      [noOne, everyone],
      [everyone, administrators],
      [administrators, members],
      [members, administrators],
      [moderators, noOne],
    ] as const;
    const changing: Client[] = [];
    for (const [from] of changes) changing.push(await hiddenPerson(from));
    await expectConsistentSnapshot(service, [...people, ...changing], async () => {
      for (const [index, [, to]] of changes.entries()) await showAddressTo(changing[index] as Client, to);
    });
  });

  test('Notifies users for whom it changes, and no others', async () => {
    const person = await hiddenPerson(members);
    const queues = await listenAll(people);
    await showAddressTo(person, administrators);
    const personsIn = async (queue: EventQueue) => (await queue.drain()).map((event) => event.person);
    const received = await Promise.all(queues.map(personsIn));
    const lost = [{ user_id: person.userId, delivery_email: null }];
    expect(received).toEqual([[], [], lost, lost, []]);
  });

  test('Applies to a user whose role changes', async () => {
    await hiddenPerson(moderators);
    await hiddenPerson(administrators);
    await hiddenPerson(members);
    const changes = [
      [roles.guest, roles.moderator],
      [roles.administrator, roles.member],
      [roles.member, roles.guest],
    ] as const;
    const changing: Client[] = [];
    for (const [from] of changes) changing.push(await createUser(service, 'Climber', from));
    await expectConsistentSnapshot(service, [...changing, member], async () => {
      for (const [index, [, role]] of changes.entries())
        expect((await owner.patch(`/users/${changing[index]?.userId}`, { role })).status, `${role}`).toBe(
          200,
        );
    });
  });
});

describe('A hidden address cannot be probed', () => {
  const compare = async (lookUp: (address: string) => Promise<Reply>) => {
    const person = await hiddenPerson(noOne);
    const unknown = `x${person.email.slice(1)}`;
    const [hidden, missing] = [await lookUp(person.email), await lookUp(unknown)];
    expect(hidden.status).toBe(missing.status);
    expect(JSON.stringify(hidden.body).replaceAll(person.email, unknown)).toBe(JSON.stringify(missing.body));
    return { hidden, known: await lookUp(dummyOf(service, person)) };
  };

  test('By requesting the user', async () => {
    const { known } = await compare((address) => member.get(`/users/${address}`));
    expect(known.status).toBe(200);
  });

  test('By writing to it', async () => {
    const write = (address: string) =>
      member.post('/messages', { type: 'direct', to: [address], content: 'hi' });
    const { hidden, known } = await compare(write);
    expect(hidden.body.msg).toMatch(/^Invalid email '/);
    expect(known.status).toBe(200);
  });

  test('By subscribing or unsubscribing it', async () => {
    await member.subscribe('probing');
    const path = '/users/me/subscriptions';
    const { hidden, known } = await compare((address) =>
      member.post(path, { subscriptions: [{ name: 'probing' }], principals: [address] }),
    );
    expect(hidden.body.msg).toBe('No such user');
    expect(known.status).toBe(200);
    await compare((address) => owner.delete(path, { subscriptions: ['probing'], principals: [address] }));
  });

  test.each(['sender', 'dm', 'dm-including'])('By narrowing to %s', async (operator) => {
    const search = (operand: string) =>
      member.get('/messages', { ...newest, narrow: [term(operator, operand)] });
    const { hidden, known } = await compare(search);
    expect(hidden.body.code).toBe('BAD_NARROW');
    expect(known.status).toBe(200);
  });

  test('By changing it as an administrator who may not see it', proves('edit-user.5'), async () => {
    const person = await hiddenPerson(noOne);
    const reply = await administrator.patch(`/users/${person.email}`, { full_name: 'Found' });
    expectRefusal(reply, 'No such user');
    const path = `/users/${dummyOf(service, person)}`;
    expect((await administrator.patch(path, { full_name: 'Found' })).status).toBe(200);
  });

  test('By the error for deactivated users', async () => {
    const person = await hiddenPerson(noOne);
    await service.deactivate(person);
    const reply = await member.post('/messages', { type: 'direct', to: [person.userId], content: 'hi' });
    expectRefusal(reply, `'${dummyOf(service, person)}' is no longer using this service.`);
  });
});

describe('Messages of a user who hides the address', () => {
  test('Contain the substitute, in events and in reads, and no digest of the real one', async () => {
    const person = await hiddenPerson(administrators);
    const queue = await member.register({ client_gravatar: false });
    const ids = [await person.sendDirect([member.userId], 'hello')];
    ids.push(await member.sendDirect([person.userId], 'hello'));
    const events = await queue.drain();
    const { body } = await member.get('/messages', { message_ids: ids, client_gravatar: false });
    const user = (await member.get(`/users/${person.userId}`, { client_gravatar: false })).body.user;
    for (const seen of [events, body, user]) {
      expect(JSON.stringify(seen)).not.toContain(person.email);
      expect(JSON.stringify(seen)).not.toContain(digestOf(person.email));
    }
    expect(body.messages[0].sender_email).toBe(dummyOf(service, person));
    expect(body.messages[0].avatar_url).toBe(user.avatar_url);
  });

  test('From before it was hidden no longer show it, and show it again later', async () => {
    const person = await createUser(service, 'Shy');
    const id = await person.sendDirect([member.userId], 'hello');
    const read = async () => {
      const { body } = await member.get('/messages', { message_ids: [id], client_gravatar: false });
      const single = (await member.get(`/messages/${id}`)).body.message;
      return JSON.stringify([body.messages[0], single]);
    };
    expect(await read()).toContain(person.email);
    await showAddressTo(person, noOne);
    const hidden = await read();
    expect(hidden).not.toContain(person.email);
    expect(hidden).not.toContain(digestOf(person.email));
    expect(hidden).toContain(dummyOf(service, person));
    await showAddressTo(person, everyone);
    expect(await read()).toContain(person.email);
  });

  test('Cost half a read unit more for each page, whoever changed', async () => {
    const person = await createUser(service, 'Priced');
    for (let n = 0; n < 5; n++) await person.sendDirect([member.userId], 'hello');
    const read = () => member.get('/messages', { ...newest, narrow: [term('dm', [person.userId])] });
    await read();
    const before = await unitsOf(service, read);
    await showAddressTo(person, noOne);
    expect((await unitsOf(service, read)).read - before.read).toBeLessThanOrEqual(0.5);
  });
});
