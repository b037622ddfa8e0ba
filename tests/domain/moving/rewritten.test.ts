import { describe, expect, test } from 'vitest';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { requireMayDelete } from '#shared/domain/messages/delete.ts';
import { contentUpdate } from '#shared/domain/messages/editing/edit-content.ts';
import { isMovedToItsPlace } from '#shared/domain/messages/editing/edit-request.ts';
import { withoutChannels } from '#shared/domain/messages/editing/history.ts';
import { updateEvent } from '#shared/domain/messages/editing/rewrite.ts';
import type { HistoryEntry, Message } from '#shared/domain/messages/message.ts';
import { movedMessage, type PlacedMessage } from '#shared/domain/messages/moving/move.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { roles, type User } from '#shared/domain/users/user.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';
import { channelMessage, channelOf, directMessage } from '#tests/harness/samples.ts';

const message = channelMessage({ messageId: 5, senderId: 2, channelId: 7, topic: 'Logo' });

test('A message counts as staying only if each named part of the place is its own', () => {
  const isThere = (topic?: string, channelId?: number, asked: Message = message) =>
    isMovedToItsPlace(asked, { topic, channelId });
  expect(isThere()).toBe(false);
  expect(isThere('LOGO')).toBe(true);
  expect(isThere(undefined, 7)).toBe(true);
  expect(isThere('logo', 7)).toBe(true);
  expect(isThere('lunch')).toBe(false);
  expect(isThere('lunch', 7)).toBe(false);
  expect(isThere(undefined, 8)).toBe(false);
  expect(isThere('logo', 8)).toBe(false);
  expect(isThere('logo', undefined, directMessage(6, 2, [1]))).toBe(false);
});

test('The history of a message names no channel that its reader may not know', () => {
  const by = { userId: 2, atSeconds: 1 };
  const channel = { channel: { before: 7, after: 8 } };
  const topic = { topic: { before: 'a', after: 'b' } };
  const content = { content: { before: 'a', htmlBefore: 'a' } };
  const history: HistoryEntry[] = [
    { ...by, ...channel },
    { ...by, ...channel, ...topic },
    { ...by, ...channel, ...content },
    { ...by, ...topic },
  ];
  const visibleHistory = (known: number[]) =>
    withoutChannels(history, (channelId) => known.includes(channelId));
  expect(visibleHistory([7, 8])).toEqual(history);
  const without = [
    { ...by, ...topic },
    { ...by, ...content },
    { ...by, ...topic },
  ];
  for (const known of [[], [7], [8]]) expect(visibleHistory(known)).toEqual(without);
});

describe('The event of a changed message', () => {
  const text = (mentions?: Message['mentions']) => ({
    ...{ content: 'x', html: '<p>x</p>' },
    ...(mentions && { mentions }),
  });
  const before = (mentions?: Message['mentions']) => ({ ...message, ...text(mentions) });

  test('Names the earlier mentioned users if they changed', () => {
    const said = (was: Message['mentions'], is: Message['mentions']) =>
      contentUpdate(before(was), text(is)).mentionsBefore;
    expect(said(undefined, undefined)).toBeUndefined();
    expect(said({ userIds: [1] }, { userIds: [1] })).toBeUndefined();
    expect(said({ userIds: [1] }, { userIds: [1, 2] })).toEqual({ userIds: [1] });
    expect(said({ userIds: [1] }, undefined)).toEqual({ userIds: [1] });
    expect(said(undefined, { everybody: true })).toEqual({});
  });

  test('Names the channels through which a message came, if any', () => {
    const reach = (one: Message, to?: Channel) => {
      const payload: AnyPayload = updateEvent(
        [one],
        { userId: 2, atSeconds: 1, channel: channelOf(7), to },
        {},
      ).payload;
      return payload.reach;
    };
    expect(reach(message)).not.toHaveProperty('journeys');
    expect(reach(message)).not.toHaveProperty('to');
    const journey = { sentIn: 6, stops: [{ channelId: 7, at: 4 }] };
    expect(reach({ ...message, journey } as Message, channelOf(8))).toMatchObject({
      ...{ journeys: { 5: journey }, to: { channelId: 8 }, from: { channelId: 7 } },
    });
  });

  test('Goes to all who have a message of any of its channels', () => {
    const journey = { sentIn: 6, stops: [{ channelId: 7, at: 4 }] };
    const audience = (to?: Channel, isArchived = false) => {
      const event = updateEvent(
        [message, { ...message, messageId: 8, journey } as Message],
        { userId: 2, atSeconds: 1, channel: channelOf(7, { isArchived }), to },
        {},
      );
      return [event.audience, event.isOfArchived];
    };
    expect(audience()).toEqual([{ kind: 'holders', channelIds: [7, 6] }, undefined]);
    expect(audience(channelOf(9), true)).toEqual([{ kind: 'holders', channelIds: [7, 6, 9] }, true]);
  });
});

describe('A message that moves', () => {
  const moved = (topic: string, channel: Channel, one: Message = message) =>
    movedMessage(
      one as PlacedMessage,
      { channel, topic, topicLinks: [] },
      { userId: 2, atSeconds: 30, position: 9 },
    );

  test('Gets a new time of move unless only the mark of a resolved topic changed', () => {
    expect(moved('✔ Logo', channelOf(7))).not.toHaveProperty('movedAtSeconds');
    expect(moved('Logos', channelOf(7))).toHaveProperty('movedAtSeconds', 30);
    expect(moved('✔ Logo', channelOf(8))).toHaveProperty('movedAtSeconds', 30);
    expect(moved('Logo', channelOf(8))).toHaveProperty('movedAtSeconds', 30);
  });

  test('Stays public only if its old and new channels are', () => {
    const inPrivate = { ...message, isPublic: false } as Message;
    expect(moved('Logo', channelOf(8)).isPublic).toBe(true);
    expect(moved('Logo', channelOf(8, { isPrivate: true })).isPublic).toBe(false);
    expect(moved('Logo', channelOf(8), inPrivate).isPublic).toBe(false);
  });

  test('Remembers the parts of its place that it left', () => {
    const by = { userId: 2, atSeconds: 30, position: 9 };
    expect(moved('Logos', channelOf(7)).moves).toEqual([{ ...by, topic: 'Logo' }]);
    expect(moved('Logo', channelOf(8)).moves).toEqual([{ ...by, channelId: 7 }]);
    expect(moved('Logos', channelOf(8)).moves).toEqual([{ ...by, topic: 'Logo', channelId: 7 }]);
    expect(moved('Logos', channelOf(7))).not.toHaveProperty('journey');
    expect(moved('Logo', channelOf(8)).journey).toEqual({ sentIn: 7, stops: [{ channelId: 8, at: 9 }] });
  });
});

test('A message is deleted by its author and the owner of its bot, but not in an archived channel', () => {
  const deletes = (userId: number, given: Partial<Channel> = {}, ageSeconds = 600) => {
    const groups = {
      can_delete_any_message_group: systemGroups.administrators,
      can_delete_own_message_group: systemGroups.everyone,
    };
    const settings = { message_content_delete_limit_seconds: 600 };
    const role = userId === 1 ? roles.administrator : roles.member;
    const deletion = {
      ...{ message, sender: { userId: 2, botOwnerId: 3 } as User },
      view: { channel: channelOf(7, given), subscription: undefined },
      organization: { groups, settings } as unknown as Organization,
      nowSeconds: message.atSeconds + ageSeconds,
    };
    try {
      requireMayDelete({ userId, role } as User, deletion);
      return 'deletes it';
    } catch (failure) {
      return (failure as Error).message;
    }
  };
  const refusal = "You don't have permission to delete this message";
  expect([1, 2, 3, 4].map((id) => deletes(id))).toEqual([
    ...['deletes it', 'deletes it', 'deletes it', refusal],
  ]);
  expect([1, 2, 3].map((id) => deletes(id, { isArchived: true }))).toEqual(['deletes it', refusal, refusal]);
  expect([1, 2].map((id) => deletes(id, {}, 601))).toEqual([
    ...['deletes it', 'The time limit for deleting this message has passed'],
  ]);
});
