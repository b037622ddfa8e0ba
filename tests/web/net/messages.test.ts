import { beforeEach, expect, test } from 'vitest';
import { createChannel } from '#tests/harness/scene.ts';
import { openRoom } from './room.ts';

let id: number;
const { service, ada, bo, room, page } = await openRoom();
const { channels, messages, store } = page.net;
beforeEach(async () => {
  id = await bo.send(room.channelId, 'lunch', 'Soup **today**');
  await page.sees(message);
});

const server = () => store.server.value;
const message = () => store.cache.value.byId.get(id);
const kept = async () => (await ada.get(`/messages/${id}`)).body.message;
const THUMB = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };

test('A reaction appears at once, stays, and is removed by a second one', async () => {
  const added = messages.toggleReaction(message(), THUMB);
  expect(message().reactions).toMatchObject([{ ...THUMB, user_id: ada.userId }]);
  await added;
  expect((await kept()).reactions).toHaveLength(1);
  const removed = messages.toggleReaction(message(), THUMB);
  expect(message().reactions).toEqual([]);
  await removed;
  expect((await kept()).reactions).toEqual([]);
});

test('A refused reaction disappears with a notice, unless it exists already', async () => {
  const before = page.notice();
  const stale = message();
  await messages.toggleReaction(stale, THUMB);
  await messages.toggleReaction(stale, THUMB);
  expect(page.notice()).toBe(before);
  expect(message().reactions).toHaveLength(1);
  page.refuseNext('Not today');
  await messages.toggleReaction(message(), THUMB);
  expect(message().reactions).toHaveLength(1);
  expect(page.notice()?.text).toBe('Couldn’t save your reaction: Not today');
});

test('A star appears at once, and disappears if the service refuses', async () => {
  const starred = messages.toggleStar(message());
  expect(message().flags).toContain('starred');
  expect(await starred).toBe(true);
  expect((await kept()).flags).toContain('starred');
  page.refuseNext('Not today');
  const unstarred = messages.toggleStar(message());
  expect(message().flags).not.toContain('starred');
  expect(await unstarred).toBe(false);
  expect(message().flags).toContain('starred');
  expect(page.notice()?.text).toBe('Couldn’t star the message: Not today');
  expect(await messages.toggleStar(message())).toBe(true);
  expect((await kept()).flags).not.toContain('starred');
});

test('A message is edited from the shown text, moved, marked as resolved and deleted', async () => {
  id = await ada.send(room.channelId, 'lunch', 'Sopu');
  await page.sees(message);
  expect(await messages.sourceOf(id)).toBe('Sopu');
  expect(await messages.editMessage(message(), 'Sopu', 'Soup')).toBe(true);
  await page.sees(() => message().content === '<p>Soup</p>');
  expect(await messages.editMessage(message(), 'Sopu', 'Salad')).toBe(false);

  const other = await createChannel(service, [ada]);
  const move = { topic: 'dinner', channelId: room.channelId, which: 'change_one', tellsOld: false };
  await messages.moveMessages(message(), { ...move, tellsNew: false });
  await page.sees(() => message().subject === 'dinner');
  await messages.moveMessages(message(), { ...move, channelId: other.channelId, tellsNew: true });
  await page.sees(() => message().stream_id === other.channelId);
  expect(page.calls.at(-1)?.params).toMatchObject({
    ...{ propagate_mode: 'change_one', stream_id: `${other.channelId}` },
    ...{ send_notification_to_old_thread: 'false', send_notification_to_new_thread: 'true' },
  });

  expect(await messages.toggleResolved(id, 'dinner')).toBe(true);
  await page.sees(() => message().subject === '✔ dinner');
  expect(messages.isResolved('✔ dinner')).toBe(true);
  expect(messages.isResolved('dinner')).toBe(false);
  expect(await messages.toggleResolved(id, '✔ dinner')).toBe(true);
  await page.sees(() => message().subject === 'dinner');
  expect(await messages.toggleResolved(1_000_000_000_000, 'dinner')).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t change the topic: /);

  await service.owner.patch('/realm', {
    can_delete_own_message_group: { new: { direct_members: [ada.userId], direct_subgroups: [] } },
  });
  expect(await messages.deleteMessage(message())).toBe(true);
  await page.sees(() => message() === undefined);
  expect(await messages.deleteMessage({ id })).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t delete the message: /);
});

test('A quotation names author and place, in a fence that the text does not close', async () => {
  const address = messages.addressOf(message());
  expect(address).toBe(
    `${new URL(service.url).origin}/#narrow/channel/${room.channelId}-${room.name.replace(' ', '-')}/topic/lunch/near/${id}`,
  );
  const place = `[#${room.name} > lunch](#narrow/channel/${room.channelId}-${room.name.replace(' ', '-')}/topic/lunch)`;
  expect(await messages.quoteOf(message())).toBe(
    `@_**Bo|${bo.userId}** [said](${address}) in ${place}:\n\`\`\`quote\nSoup **today**\n\`\`\`\n`,
  );
  id = await bo.sendDirect([ada.userId], '````\ncode\n````');
  await page.sees(message);
  const quoted: string = await messages.quoteOf(message());
  expect(quoted).toContain('): \n'.replace(' ', ''));
  expect(quoted).toContain('\n`````quote\n````\ncode\n````\n`````\n');
  expect(quoted).not.toContain(' in [');
});

test('A topic is followed, a channel is muted, and a refusal of either causes a notice', async () => {
  expect(await messages.setTopicPolicy(room.channelId, 'lunch', 3)).toBe(true);
  await page.sees(() =>
    server().user_topics.some((record: { visibility_policy: number }) => record.visibility_policy === 3),
  );
  const own = () => store.ownChannels.value.get(room.channelId);
  expect(await messages.setChannelProperty(room.channelId, 'is_muted', true)).toBe(true);
  await page.sees(() => own().is_muted);
  await channels.setOwnProperty(room.channelId, 'pin_to_top', true);
  await page.sees(() => own().pin_to_top);
  expect(await messages.setTopicPolicy(1_000_000, 'lunch', 3)).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t change the topic: /);
  expect(await messages.setChannelProperty(1_000_000, 'is_muted', true)).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t change the channel: /);
});

test('A reminder contains its note, and a report its reason', async () => {
  const at = Math.floor(Date.now() / 1000) + 86_400;
  expect(await messages.remindOf(id, at, 'Bring bread')).toBe(true);
  expect(await messages.remindOf(id, at + 60, '')).toBe(true);
  await page.sees(() => server().reminders.length === 2);
  expect(server().reminders).toMatchObject([
    { reminder_target_message_id: id, scheduled_delivery_timestamp: at },
    { scheduled_delivery_timestamp: at + 60 },
  ]);
  expect(page.calls.at(-2)?.params.note).toBe('Bring bread');
  expect(page.calls.at(-1)?.params).not.toHaveProperty('note');
  expect(await messages.remindOf(id, 1, '')).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t set the reminder: /);
  const asked = messages.reportMessage(id, 'spam', 'It sells soup');
  await asked.catch(() => undefined);
  expect(page.calls.at(-1)).toEqual({
    call: `POST /messages/${id}/report`,
    params: { report_type: 'spam', description: 'It sells soup' },
  });
});

test('A message of a topic is found, on the page or at the service', async () => {
  const { calls } = page;
  const before = calls.length;
  expect(await messages.someMessageOf(room.channelId, 'LUNCH')).toBeGreaterThan(0);
  expect(calls).toHaveLength(before);
  store.cache.value = { byId: new Map(), runs: new Map(), topics: new Map() };
  expect(await messages.someMessageOf(room.channelId, 'lunch')).toBe(id);
  expect(await messages.someMessageOf(room.channelId, 'nothing')).toBeUndefined();
  expect(await messages.someMessageOf(1_000_000, 'lunch')).toBeUndefined();
});

test('A channel is created with its people, edited, left, archived, and each can be undone', async () => {
  const asked = { name: 'plans', description: 'Next year', folderId: undefined };
  const channelId: number = await channels.createChannel({
    ...asked,
    privacy: 'private',
    userIds: [bo.userId],
  });
  const plans = () => store.channels.value.get(channelId);
  const isRead = () => store.ownChannels.value.has(channelId);
  await page.sees(isRead);
  expect(plans()).toMatchObject({ name: 'plans', description: 'Next year' });
  expect([...plans().subscribers].sort()).toEqual([ada.userId, bo.userId].sort());
  expect(channels.privacyOf(plans())).toBe('private');
  for (const privacy of ['public', 'shared history', 'private']) {
    await channels.setPrivacy(plans(), privacy);
    await page.sees(() => channels.privacyOf(plans()) === privacy);
  }
  await channels.editChannel(channelId, { description: 'This year' });
  await page.sees(() => plans().description === 'This year');
  expect(await channels.removeSubscriber('plans', bo.userId)).toBe(true);
  await page.sees(() => plans().subscribers.length === 1);
  await channels.addSubscribers('plans', [bo.userId]);
  await page.sees(() => plans().subscribers.length === 2);
  await channels.setPrivacy(plans(), 'public');
  await page.sees(() => channels.privacyOf(plans()) === 'public');
  await channels.unsubscribe(plans());
  expect(page.notice()?.text).toBe('Unsubscribed from #plans');
  await page.sees(() => !isRead());
  page.undo();
  await page.sees(isRead);
  await channels.archive(plans());
  expect(page.notice()?.text).toBe('#plans archived');
  await page.sees(() => plans().is_archived);
  page.undo();
  await page.sees(() => !plans().is_archived);
});

test('A refusal of a channel causes a notice, and offers nothing to undo', async () => {
  const nothing = { stream_id: 1_000_000, name: 'nothing' };
  await channels.archive(nothing);
  expect(page.notice()?.text).toMatch(/^Couldn’t change #nothing: /);
  expect(page.notice()?.action).toBeUndefined();
  await channels.unsubscribe(nothing);
  expect(page.notice()?.text).toMatch(/^Couldn’t unsubscribe from #nothing: /);
  expect(page.notice()?.action).toBeUndefined();
  expect(await channels.removeSubscriber('nothing', bo.userId)).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t remove the subscriber: /);
  page.refuseNext('Not today');
  expect(await messages.subscribe('nothing')).toBe(false);
  expect(page.notice()?.text).toBe('Couldn’t subscribe: Not today');
});
