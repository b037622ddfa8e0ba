import { describe, expect, test } from 'vitest';
import type { Client, ReceivedEvent } from '#tests/harness/client.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { edit, move, read } from './message-changes.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const channel = await createChannel(service, [ada, bo]);

describe('The history of a message', () => {
  const history = async (client: Client, id: number) => client.get(`/messages/${id}/history`);

  test('Returns each state, oldest first, with the one before', async () => {
    const id = await ada.send(channel.name, 'history', 'one two');
    await edit(ada, id, { content: 'one three' });
    await edit(bo, id, { topic: 'elsewhere', send_notification_to_new_thread: false });
    const { status, body } = await history(bo, id);
    expect(status).toBe(200);
    const timestamp = expect.any(Number);
    expect(body.message_history).toEqual([
      {
        topic: 'history',
        content: 'one two',
        rendered_content: '<p>one two</p>',
        timestamp,
        user_id: ada.userId,
      },
      {
        topic: 'history',
        content: 'one three',
        rendered_content: '<p>one three</p>',
        timestamp,
        user_id: ada.userId,
        prev_content: 'one two',
        prev_rendered_content: '<p>one two</p>',
        content_html_diff:
          '<div><p>one <span class="highlight_text_deleted">two</span><span class="highlight_text_inserted">three</span></p></div>',
      },
      {
        topic: 'elsewhere',
        content: 'one three',
        rendered_content: '<p>one three</p>',
        timestamp,
        user_id: bo.userId,
        prev_topic: 'history',
      },
    ]);
  });

  test('Has no texts if only moves are visible, and fails if nothing is', async () => {
    const id = await ada.send(channel.name, 'history', 'secret');
    await edit(ada, id, { content: 'nothing' });
    await service.owner.patch('/realm', { message_edit_history_visibility_policy: 'moves' });
    expect(JSON.stringify((await history(bo, id)).body)).not.toContain('secret');
    expect((await read(bo, id)).message).not.toHaveProperty('edit_history');
    await service.owner.patch('/realm', { message_edit_history_visibility_policy: 'none' });
    const { status, body } = await history(bo, id);
    expect([status, body.msg]).toEqual([400, 'Message edit history is disabled in this organization']);
    await service.owner.patch('/realm', { message_edit_history_visibility_policy: 'all' });
    expect((await history(bo, id)).body.message_history[0]).toMatchObject({ content: 'secret' });
  });

  test('Returns only moves, with or without a text, if only moves are visible', async () => {
    const id = await ada.send(channel.name, 'history', 'secret');
    await edit(ada, id, { content: 'nothing' });
    await move(ada, id, { topic: 'both', content: 'still nothing' });
    await move(bo, id, { topic: 'last' });
    await service.owner.patch('/realm', { message_edit_history_visibility_policy: 'moves' });
    const states = (await history(bo, id)).body.message_history;
    const { message } = await read(bo, id);
    await service.owner.patch('/realm', { message_edit_history_visibility_policy: 'all' });
    const shown = states.map(({ topic, prev_topic, prev_content, content, user_id }: ReceivedEvent) => [
      topic,
      prev_topic,
      prev_content,
      content,
      user_id,
    ]);
    expect(shown).toEqual([
      ['history', undefined, undefined, 'still nothing', ada.userId],
      ['both', 'history', undefined, 'still nothing', ada.userId],
      ['last', 'both', undefined, 'still nothing', bo.userId],
    ]);
    const timestamp = expect.any(Number);
    expect(message.edit_history).toEqual([
      { user_id: bo.userId, timestamp, prev_topic: 'both', topic: 'last' },
      { user_id: ada.userId, timestamp, prev_topic: 'history', topic: 'both' },
    ]);
  });

  test('Names the channels of a move only to users who know both', async () => {
    const hidden = await createChannel(service, [ada], { invite_only: true });
    const [whole, renamed, rewritten] = [
      await ada.send(hidden.name, 'history', 'one'),
      await ada.send(hidden.name, 'history', 'two'),
      await ada.send(hidden.name, 'history', 'three'),
    ] as [number, number, number];
    const there = { stream_id: channel.channelId };
    await move(ada, whole, there);
    await move(ada, renamed, { ...there, topic: 'elsewhere' });
    await edit(ada, rewritten, { content: 'more' });
    await move(ada, rewritten, there);
    const channelsOf = async (reader: Client, id: number) =>
      (await history(reader, id)).body.message_history.map(
        ({ prev_stream, stream, prev_topic, prev_content }: ReceivedEvent) => ({
          prev_stream,
          stream,
          prev_topic,
          prev_content,
        }),
      );
    const moved = { prev_stream: hidden.channelId, stream: channel.channelId };
    expect(await channelsOf(ada, whole)).toEqual([{}, moved]);
    expect(await channelsOf(ada, renamed)).toEqual([{}, { ...moved, prev_topic: 'history' }]);
    expect(await channelsOf(ada, rewritten)).toEqual([{}, { prev_content: 'three' }, moved]);
    expect(await channelsOf(bo, whole)).toEqual([{}]);
    expect(await channelsOf(bo, renamed)).toEqual([{}, { prev_topic: 'history' }]);
    expect(await channelsOf(bo, rewritten)).toEqual([{}, { prev_content: 'three' }]);
  });

  test('Shows the empty topic by its display name unless the client supports empty topics', async () => {
    const id = await ada.send(channel.name, '', 'history');
    await edit(ada, id, { topic: 'named', send_notification_to_new_thread: false });
    const topics = async (params: object = {}) =>
      (await bo.get(`/messages/${id}/history`, { ...params })).body.message_history.map(
        ({ topic, prev_topic }: ReceivedEvent) => [topic, prev_topic],
      );
    expect(await topics()).toEqual([
      ['general chat', undefined],
      ['named', 'general chat'],
    ]);
    expect(await topics({ allow_empty_topic_name: true })).toEqual([
      ['', undefined],
      ['named', ''],
    ]);
  });

  test('Keeps the newest 50 texts, also if the message moves', async () => {
    const id = await ada.send(channel.name, 'history', 'text 0');
    for (let n = 1; n <= 52; n++) await edit(ada, id, { content: `text ${n}` });
    const textsKept = async () =>
      (await history(bo, id)).body.message_history.map(({ content }: { content: string }) => content);
    expect(await textsKept()).toEqual(Array.from({ length: 51 }, (_, n) => `text ${n + 2}`));
    await move(ada, id, { topic: 'elsewhere', content: 'text 53' });
    expect(await textsKept()).toEqual(Array.from({ length: 51 }, (_, n) => `text ${n + 3}`));
  });
});
