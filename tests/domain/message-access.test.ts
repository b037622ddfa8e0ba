import { describe, expect, test } from 'vitest';
import { type ChannelView, mayRead, readersOf } from '#shared/domain/messages/access.ts';
import { isToGo } from '#shared/domain/users/clean-up.ts';
import { roles } from '#shared/domain/users/user.ts';
import { channelMessage, directMessage, userOf } from '#tests/harness/samples.ts';
import { CALLER, contextOf } from './narrow-messages.ts';

const owner = userOf(CALLER, roles.owner);
const post = channelMessage({ messageId: 5, senderId: 2, channelId: 7, topic: 'Logo' });

test('A message of a public channel is visible to users who may read its history', () => {
  expect(readersOf(post, contextOf(post).view as ChannelView)).toEqual({
    kind: 'readers',
    channelId: 7,
    messageId: 5,
    isPrivate: false,
    isHistoryPublic: true,
  });
});

describe('A message of an unknown channel', () => {
  test('Cannot be read by any user, whatever their role', () => {
    expect(mayRead(owner, post, undefined)).toBe(false);
  });

  test('Concerns only its recipients', () => {
    const audience = { kind: 'readers', channelId: 7, messageId: 5 };
    expect(readersOf(post, undefined)).toEqual({ ...audience, isPrivate: true, isHistoryPublic: false });
  });
});

test('A deletion of a deactivated user’s messages covers the requested ones', () => {
  const { channel } = contextOf(post).view ?? {};
  const channels = new Map([
    [7, channel!],
    [8, { ...channel!, channelId: 8, isPrivate: true }],
  ]);
  const inPrivate = channelMessage({ messageId: 6, senderId: 2, channelId: 8, topic: 'Logo' });
  const elsewhere = channelMessage({ messageId: 7, senderId: 2, channelId: 9, topic: 'Logo' });
  const ofAnother = channelMessage({ messageId: 8, senderId: 3, channelId: 7, topic: 'Logo' });
  const direct = directMessage(9, 2, [CALLER]);
  const all = [post, inPrivate, elsewhere, ofAnother, direct, directMessage(10, CALLER, [2])];
  const going = (deletes: { inPublicChannels: boolean; inPrivateChannels: boolean; direct: boolean }) =>
    all.filter((message) => isToGo(message, { userIds: [2, 4], deletes, end: 20, stride: 20 }, channels));
  const none = { inPublicChannels: false, inPrivateChannels: false, direct: false };
  expect(going({ ...none, inPublicChannels: true })).toEqual([post]);
  expect(going({ ...none, inPrivateChannels: true })).toEqual([inPrivate]);
  expect(going({ ...none, direct: true })).toEqual([direct]);
  expect(going({ inPublicChannels: true, inPrivateChannels: true, direct: true })).toEqual([
    post,
    inPrivate,
    direct,
  ]);
});
