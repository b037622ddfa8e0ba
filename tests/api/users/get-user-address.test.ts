import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { emailVisibilities, roles } from '#shared/domain/users/user.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { dummyOf, showAddressTo } from './addresses.ts';

const service = await startTestService();
const { owner } = service;
const administrator = await createUser(service, 'Administrator', roles.administrator);
const moderator = await createUser(service, 'Moderator', roles.moderator);
const member = await createUser(service, 'Member');
const guest = await createUser(service, 'Guest', roles.guest);

const { everyone, members, administrators, nobody: noOne, moderators } = emailVisibilities;
const people = () => [owner, administrator, moderator, member, guest];
const digestOf = (email: string) => createHash('md5').update(email).digest('hex');
const hiddenPerson = async (visibility: (typeof emailVisibilities)[keyof typeof emailVisibilities]) => {
  const one = await createUser(service, 'Hidden');
  await showAddressTo(one, visibility);
  return one;
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
    const one = hidden.get(visibility) as Client;
    const email = visibility === everyone ? one.email : dummyOf(service, one);
    return { one, expected: { email, delivery_email: isSeer ? one.email : null } };
  };

  test.each(cases)(
    'With the setting %i includes the first %i of owner, administrator, moderator, member, guest',
    async (visibility, seers) => {
      for (const [index, viewer] of people().entries()) {
        const { one, expected } = lookOf(visibility, index < seers);
        const byId = (await viewer.get(`/users/${one.userId}`)).body.user;
        expect(byId).toMatchObject(expected);
        const { body } = await viewer.get('/users', { user_ids: [one.userId] });
        expect(body.members).toEqual([byId]);

        const reply = await viewer.get(`/users/${one.email.toUpperCase()}`);
        if (index < seers) expect(reply.body.user).toEqual(byId);
        else expectRefusal(reply, 'No such user');
        expect((await viewer.get(`/users/${dummyOf(service, one).toUpperCase()}`)).body.user).toEqual(byId);
      }
    },
  );

  test('Applies in register too', async () => {
    for (const [index, viewer] of people().entries()) {
      const { realm_users } = (await viewer.register({ fetch_event_types: ['realm_user'] })).snapshot;
      for (const [visibility, seers] of cases) {
        const { one, expected } = lookOf(visibility, index < seers);
        const found = realm_users.find(({ user_id }: { user_id: number }) => user_id === one.userId);
        expect(found, `visibility ${visibility} for user ${viewer.userId}`).toMatchObject(expected);
      }
    }
  });

  test('Always includes the user', async () => {
    const one = await hiddenPerson(noOne);
    const email = dummyOf(service, one);
    const own = (await one.get('/users/me')).body;
    expect(own).toMatchObject({ email, delivery_email: one.email });
    expect((await one.get(`/users/${one.email}`)).body.user).toMatchObject({
      email,
      delivery_email: one.email,
    });
    const { snapshot } = await one.register();
    expect(snapshot).toMatchObject({ email, delivery_email: one.email });
  });

  test('Leaves a substitute that finds its user also after the organization moved to another host', async () => {
    const one = await hiddenPerson(noOne);
    const former = dummyOf(service, one);
    const move = (url: string) =>
      service.services.table.write({ kind: 'update', key: organizationKeys.organization(), set: { url } });
    await move('https://chat.example.org');
    try {
      for (const address of [former, former.toUpperCase(), `User${one.userId}@Chat.example.org`])
        expect((await owner.get(`/users/${address}`)).body.user.user_id, address).toBe(one.userId);
    } finally {
      await move(service.url);
    }
  });

  test.each(['user@x', 'user4@elsewhere.example', 'user999999@127.0.0.1'])(
    'Makes %s no user',
    async (address) => {
      expectRefusal(await owner.get(`/users/${address}`), 'No such user');
    },
  );
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
    const ones: Client[] = [];
    for (const [from] of changes) ones.push(await hiddenPerson(from));
    await expectConsistentSnapshot(service, [...people(), ...ones], async () => {
      for (const [index, [, to]] of changes.entries()) await showAddressTo(ones[index] as Client, to);
    });
  });

  test('Notifies users for whom it changes, and no others', async () => {
    const one = await hiddenPerson(members);
    const queues = await Promise.all(people().map((viewer) => viewer.listen()));
    await showAddressTo(one, administrators);
    const received = await Promise.all(
      queues.map(async (queue) => (await queue.drain()).map((event) => event.person)),
    );
    const lost = [{ user_id: one.userId, delivery_email: null }];
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
    const ones: Client[] = [];
    for (const [from] of changes) ones.push(await createUser(service, 'Climber', from));
    await expectConsistentSnapshot(service, [...ones, member], async () => {
      for (const [index, [, role]] of changes.entries())
        expect((await owner.patch(`/users/${ones[index]?.userId}`, { role })).status, `${role}`).toBe(200);
    });
  });
});

describe('A hidden address cannot be probed', () => {
  const compare = async (
    lookUp: (address: string) => Promise<{ status: number; body: Record<string, unknown> }>,
  ) => {
    const one = await hiddenPerson(noOne);
    const unknown = `x${one.email.slice(1)}`;
    const [hidden, missing] = [await lookUp(one.email), await lookUp(unknown)];
    expect(hidden.status).toBe(missing.status);
    expect(JSON.stringify(hidden.body).replaceAll(one.email, unknown)).toBe(JSON.stringify(missing.body));
    return { hidden, known: await lookUp(dummyOf(service, one)) };
  };

  test('By requesting the user', async () => {
    const { known } = await compare((address) => member.get(`/users/${address}`));
    expect(known.status).toBe(200);
  });

  test('By writing to it', async () => {
    const { hidden, known } = await compare((address) =>
      member.post('/messages', { type: 'direct', to: [address], content: 'hi' }),
    );
    expect(hidden.body.msg).toMatch(/^Invalid email '/);
    expect(known.status).toBe(200);
  });

  test('By subscribing or unsubscribing it', async () => {
    await member.subscribe('probing');
    const params = (address: string): Params => ({ principals: [address] });
    const { hidden, known } = await compare((address) =>
      member.post('/users/me/subscriptions', { subscriptions: [{ name: 'probing' }], ...params(address) }),
    );
    expect(hidden.body.msg).toBe('No such user');
    expect(known.status).toBe(200);
    await compare((address) =>
      owner.delete('/users/me/subscriptions', { subscriptions: ['probing'], ...params(address) }),
    );
  });

  test.each(['sender', 'dm', 'dm-including'])('By narrowing to %s', async (operator) => {
    const { hidden, known } = await compare((operand) =>
      member.get('/messages', {
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
        narrow: [{ operator, operand }],
      }),
    );
    expect(hidden.body.code).toBe('BAD_NARROW');
    expect(known.status).toBe(200);
  });

  test('By changing it as an administrator who may not see it', proves('edit-user.5'), async () => {
    const one = await hiddenPerson(noOne);
    expectRefusal(await administrator.patch(`/users/${one.email}`, { full_name: 'Found' }), 'No such user');
    const { status } = await administrator.patch(`/users/${dummyOf(service, one)}`, { full_name: 'Found' });
    expect(status).toBe(200);
  });

  test('By the error for deactivated users', async () => {
    const one = await hiddenPerson(noOne);
    await service.deactivate(one);
    const reply = await member.post('/messages', { type: 'direct', to: [one.userId], content: 'hi' });
    expectRefusal(reply, `'${dummyOf(service, one)}' is no longer using this service.`);
  });
});

describe('Messages of a user who hides the address', () => {
  test('Contain the substitute, in events and in reads, and no digest of the real one', async () => {
    const one = await hiddenPerson(administrators);
    const queue = await member.register({ client_gravatar: false });
    const ids = [await one.sendDirect([member.userId], 'hello')];
    ids.push(await member.sendDirect([one.userId], 'hello'));
    const events = await queue.drain();
    const { body } = await member.get('/messages', { message_ids: ids, client_gravatar: false });
    const user = (await member.get(`/users/${one.userId}`, { client_gravatar: false })).body.user;
    for (const seen of [events, body, user]) {
      expect(JSON.stringify(seen)).not.toContain(one.email);
      expect(JSON.stringify(seen)).not.toContain(digestOf(one.email));
    }
    expect(body.messages[0].sender_email).toBe(dummyOf(service, one));
    expect(body.messages[0].avatar_url).toBe(user.avatar_url);
  });

  test('From before it was hidden no longer show it, and show it again later', async () => {
    const one = await createUser(service, 'Shy');
    const id = await one.sendDirect([member.userId], 'hello');
    const read = async () => {
      const { body } = await member.get('/messages', { message_ids: [id], client_gravatar: false });
      const single = (await member.get(`/messages/${id}`)).body.message;
      return JSON.stringify([body.messages[0], single]);
    };
    expect(await read()).toContain(one.email);
    await showAddressTo(one, noOne);
    const hidden = await read();
    expect(hidden).not.toContain(one.email);
    expect(hidden).not.toContain(digestOf(one.email));
    expect(hidden).toContain(dummyOf(service, one));
    await showAddressTo(one, everyone);
    expect(await read()).toContain(one.email);
  });

  test('Cost half a read unit more for each page, whoever changed', async () => {
    const one = await createUser(service, 'Priced');
    for (let n = 0; n < 5; n++) await one.sendDirect([member.userId], 'hello');
    const read = () =>
      member.get('/messages', {
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
        narrow: [{ operator: 'dm', operand: [one.userId] }],
      });
    const costOf = async (): Promise<number> => {
      service.meter.reset();
      await read();
      return service.meter.read;
    };
    await costOf();
    const before = await costOf();
    await showAddressTo(one, noOne);
    expect((await costOf()) - before).toBeLessThanOrEqual(0.5);
  });
});
