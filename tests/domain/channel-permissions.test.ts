import { describe, expect, test } from 'vitest';
import { type Channel, defaultChannelGroups } from '#shared/domain/channels/channel.ts';
import { mayAddOthers, mayCreate, mayJoin, mayKnow, mayRemove } from '#shared/domain/channels/permissions.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { defaultOrganizationGroups as asFounded } from '#shared/domain/organization/settings.ts';
import { isPermitted, type Permission } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { type Subscription, subscribeAt, unsubscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { roles, type User } from '#shared/domain/users/user.ts';
import { channelOf, userOf } from '#tests/harness/samples.ts';

const CREATOR = 99;
const CHANNEL = 1;

const userWith = (role: keyof typeof roles, userId = 10): User => userOf(userId, roles[role]);
const people = (Object.keys(roles) as (keyof typeof roles)[]).map((name) => [name, userWith(name)] as const);

const channelWith = (isPrivate: boolean, groups: Partial<Channel['groups']> = {}): Channel =>
  channelOf(CHANNEL, {
    isPrivate,
    isHistoryPublic: !isPrivate,
    groups: { ...defaultChannelGroups(CREATOR), ...groups },
  });

const current = subscribeAt(undefined, { userId: 10, channelId: CHANNEL }, '#ffffff', 5);
const past = unsubscribeAt(current, 9);
const view = (channel: Channel, subscription?: Subscription): ChannelView => ({ channel, subscription });

/** The roles for which a rule holds. */
const allowed = (rule: (user: User) => boolean): string[] =>
  people.filter(([, user]) => rule(user)).map(([name]) => name);

const members = ['owner', 'administrator', 'moderator', 'member'];
const administrators = ['owner', 'administrator'];
const everyone = [...members, 'guest'];

describe('The right to know a channel', () => {
  test('Belongs to members if it is public, to administrators always, and to every subscriber', () => {
    expect(allowed((user) => mayKnow(user, view(channelWith(false))))).toEqual(members);
    expect(allowed((user) => mayKnow(user, view(channelWith(true))))).toEqual(administrators);
    for (const isPrivate of [true, false])
      expect(allowed((user) => mayKnow(user, view(channelWith(isPrivate), current)))).toEqual(everyone);
  });

  test('Ends with the subscription', () => {
    expect(allowed((user) => mayKnow(user, view(channelWith(true), past)))).toEqual(administrators);
    expect(allowed((user) => mayKnow(user, view(channelWith(false), past)))).toEqual(members);
  });

  test('Comes with the right to join', () => {
    const channel = channelWith(true, { can_subscribe_group: systemGroups.everyone });
    expect(allowed((user) => mayKnow(user, view(channel)))).toEqual(everyone);
  });
});

describe('The right to join', () => {
  test('Belongs to members if the channel is public, and to no user if it is private', () => {
    expect(allowed((user) => mayJoin(user, view(channelWith(false))))).toEqual(members);
    expect(allowed((user) => mayJoin(user, view(channelWith(true))))).toEqual([]);
  });

  test('Follows can_subscribe_group, guests included', () => {
    const channel = channelWith(true, { can_subscribe_group: systemGroups.everyone });
    expect(allowed((user) => mayJoin(user, view(channel)))).toEqual(everyone);
  });

  test('Follows can_add_subscribers_group, except for guests', () => {
    const channel = channelWith(true, { can_add_subscribers_group: systemGroups.everyone });
    expect(allowed((user) => mayJoin(user, view(channel)))).toEqual(members);
  });
});

describe('The right to subscribe others', () => {
  test('Belongs to members if the channel is public', () => {
    expect(allowed((user) => mayAddOthers(user, view(channelWith(false)), asFounded))).toEqual(members);
  });

  test('Belongs to subscribers of a private channel, or to members in can_add_subscribers_group', () => {
    expect(allowed((user) => mayAddOthers(user, view(channelWith(true)), asFounded))).toEqual([]);
    expect(allowed((user) => mayAddOthers(user, view(channelWith(true), current), asFounded))).toEqual(
      members,
    );
    const channel = channelWith(true, { can_add_subscribers_group: systemGroups.moderators });
    expect(allowed((user) => mayAddOthers(user, view(channel), asFounded))).toEqual([
      ...administrators,
      'moderator',
    ]);
  });

  test('Does not belong to administrators outside a private channel', () => {
    expect(mayAddOthers(userWith('member', CREATOR), view(channelWith(true)), asFounded)).toBe(false);
  });
});

describe('The right to remove another user', () => {
  const target = userWith('member', 50);

  test('Belongs to administrators by default, in any channel', () => {
    for (const isPrivate of [true, false])
      expect(allowed((user) => mayRemove(user, target, view(channelWith(isPrivate))))).toEqual(
        administrators,
      );
  });

  test('Belongs to members of can_remove_subscribers_group who may know the channel', () => {
    const groups = { can_remove_subscribers_group: systemGroups.everyone };
    const [open, secret] = [channelWith(false, groups), channelWith(true, groups)];
    expect(allowed((user) => mayRemove(user, target, view(open)))).toEqual(members);
    expect(allowed((user) => mayRemove(user, target, view(secret)))).toEqual(administrators);
    expect(allowed((user) => mayRemove(user, target, view(secret, current)))).toEqual(everyone);
  });

  test('Belongs to channel administrators', () => {
    expect(mayRemove(userWith('member', CREATOR), target, view(channelWith(false)))).toBe(true);
  });

  test('Belongs to the owner of a bot who can access the channel', () => {
    const bot = { ...target, isBot: true, botOwnerId: 10 };
    expect(allowed((user) => mayRemove(user, bot, view(channelWith(false))))).toEqual(members);
    expect(allowed((user) => mayRemove(user, bot, view(channelWith(true))))).toEqual(administrators);
    expect(mayRemove(userWith('member', 11), bot, view(channelWith(false)))).toBe(false);
  });
});

test('Creating channels requires a member', () => {
  for (const isPrivate of [true, false])
    expect(allowed((user) => mayCreate(user, isPrivate, asFounded))).toEqual(members);
});

test('A permission that needs a relation is refused even to owners if the relation is unknown', () => {
  const owner = userWith('owner');
  const everything = defaultChannelGroups(owner.userId);
  const standing = { organization: asFounded, channel: everything };
  const asking = Object.values<Permission>(permissions).filter(({ required = [] }) => required.length > 0);
  const granted = (relations?: Record<string, boolean>) =>
    asking.filter((permission) =>
      isPermitted(owner, permission, { ...standing, ...(relations && { relations }) }),
    );
  const all = asking.flatMap(({ required = [] }) => required.map((relation) => [relation, true]));
  expect(granted(Object.fromEntries(all)).length).toBeGreaterThan(3);
  expect(granted()).toEqual([]);
  expect(granted({})).toEqual([]);
});
