import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Archive } from '#tests/harness/archive.ts';
import type { Client } from '#tests/harness/client.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { openExport, startExport } from './export-worker.ts';

/** Agreed that their private data is exported. */
const channels: Record<string, number> = {};
const archives: Record<string, Archive> = {};

/** The messages of each user, by a word to find them. */
const sent = { public: [] as string[], consent: [] as string[], everything: [] as string[] };

const service = await startTestService();
const { owner } = service;
const agreeing = await service.createUser('Agreeing');
const refusing = await service.createUser('Refusing');
const guest = await service.createUser('Guest', roles.guest);
const gone = await service.createUser('Gone');
await agreeing.patch('/settings', { allow_private_data_export: true, web_font_size_px: 21 });
await refusing.patch('/settings', { web_font_size_px: 22, email_address_visibility: 4 });
await owner.patch('/realm', { owner_full_content_access: true });
await openChannels();
await talk();
await keepThings();
await service.deactivate(gone);
await service.settle();
for (const type of ['public', 'full_with_consent', 'full_without_consent']) {
  const id = await startExport(owner, type);
  await service.settle();
  archives[type] = await openExport(owner, id);
}

async function openChannels(): Promise<void> {
  const withAll = { principals: [owner, agreeing, refusing, guest, gone].map(({ userId }) => userId) };
  channels.open = await owner.subscribe('open', withAll);
  channels.shared = await refusing.subscribe('shared secret', {
    invite_only: true,
    history_public_to_subscribers: true,
    principals: [refusing.userId, agreeing.userId],
  });
  channels.late = await refusing.subscribe('late secret', {
    invite_only: true,
    history_public_to_subscribers: false,
  });
  channels.closed = await refusing.subscribe('closed secret', { invite_only: true });
}

async function talk(): Promise<void> {
  const say = (kind: keyof typeof sent, send: (content: string) => Promise<number>): Promise<number> => {
    const content = `${kind} ${sent[kind].length}`;
    sent[kind].push(content);
    return send(content);
  };
  for (const client of [owner, agreeing, refusing, guest, gone])
    await say('public', (content) => client.send(channels.open!, 'topic', content));
  await say('public', (content) => owner.send(channels.open!, '', content));
  await say('consent', (content) => refusing.send(channels.shared!, 'topic', content));
  await say('everything', (content) => refusing.send(channels.late!, 'before', content));
  await refusing.subscribe('late secret', { principals: [agreeing.userId] });
  await say('consent', (content) => refusing.send(channels.late!, 'during', content));
  await agreeing.delete('/users/me/subscriptions', { subscriptions: ['late secret'] });
  await say('everything', (content) => refusing.send(channels.late!, 'after', content));
  await refusing.subscribe('late secret', { principals: [agreeing.userId] });
  await say('consent', (content) => refusing.send(channels.late!, 'again', content));
  await say('everything', (content) => refusing.send(channels.closed!, 'topic', content));
  await say('consent', (content) => agreeing.sendDirect([refusing.userId], content));
  await say('consent', (content) => refusing.sendDirect([guest.userId, agreeing.userId], content));
  await say('everything', (content) => refusing.sendDirect([guest.userId], content));
  await say('everything', (content) => gone.sendDirect([gone.userId], content));
}

async function keepThings(): Promise<void> {
  for (const client of [agreeing, refusing]) {
    const mark = client === agreeing ? 'of agreeing' : 'of refusing';
    const draft = { type: 'stream', to: [channels.open], topic: 'topic', content: `draft ${mark}` };
    await client.post('/drafts', { drafts: [draft] });
    await client.put('/bot_storage', { storage: { state: `state ${mark}` } });
    await client.post('/saved_snippets', { title: 'Snippet', content: `snippet ${mark}` });
    await client.post('/users/me/alert_words', { alert_words: [`alert ${mark}`] });
    const followed = { stream_id: channels.open, topic: `topic ${mark}`, visibility_policy: 3 };
    await client.post('/user_topics', followed);
    await client.post(`/users/me/muted_users/${guest.userId}`);
    await client.post('/navigation_views', { fragment: `narrow/${mark}`, is_pinned: true, name: mark });
    await client.post('/scheduled_messages', {
      type: 'channel',
      to: channels.open,
      topic: 'topic',
      content: `scheduled ${mark}`,
      scheduled_delivery_timestamp: Math.floor(service.services.clock.nowMs() / 1000) + 86_400,
    });
    const { body } = await client.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    await client.post('/messages/flags', { messages: [body.messages[0].id], op: 'add', flag: 'starred' });
  }
  await owner.post('/user_groups/create', { name: 'makers', description: '', members: [agreeing.userId] });
  const picture = { rawBody: toForm(await makePicture()) };
  for (const path of ['/users/me/avatar', '/realm/emoji/shared_emoji', '/realm/icon']) {
    const { status } = await owner.post(path, {}, picture);
    expect(status).toBe(200);
  }
  const messageId = await owner.send(channels.open!, 'topic', '/poll react?');
  const reaction = { emoji_name: 'octopus' };
  expect((await agreeing.post(`/messages/${messageId}/reactions`, reaction)).body).toMatchObject({ msg: '' });
  const vote = { message_id: messageId, msg_type: 'widget', content: '{"type":"vote","key":"x","vote":1}' };
  expect((await agreeing.post('/submessage', vote)).body).toMatchObject({ msg: '' });
  await owner.post('/channel_folders/create', { name: 'folder of all' });
  await owner.post('/realm/profile_fields', { name: 'Pronouns of all', field_type: 1 });
}

const inArchive = (type: string): Archive => archives[type] as Archive;
const sentIn = (archive: Archive): string[] =>
  archive.contents.filter((content) => /^(public|consent|everything) \d+$/.test(content)).sort();
const channelIdsIn = (archive: Archive): number[] =>
  archive.lines('channels.jsonl').map(({ stream_id: id }) => id);

describe('A public export', () => {
  test('Holds every message of public channels, and no other', () => {
    expect(sentIn(inArchive('public'))).toEqual([...sent.public].sort());
    for (const { type } of inArchive('public').lines('messages/')) expect(type).toBe('stream');
  });

  test('Holds every user, deactivated people and bots included, as every member sees them', () => {
    const users = inArchive('public').lines('users.jsonl');
    const userOf = ({ userId }: Client) => users.find(({ user_id: id }) => id === userId);
    expect(userOf(gone)).toMatchObject({ full_name: 'Gone', is_active: false });
    expect(userOf(agreeing)).toMatchObject({ delivery_email: agreeing.email, role: 400 });
    expect(userOf(refusing)).toMatchObject({ delivery_email: null });
    expect(users.some(({ is_bot: isBot }) => isBot)).toBe(true);
    expect(inArchive('public').text).not.toContain(refusing.email);
  });

  test('Holds the settings, groups, folders and profile fields of the organization', () => {
    const archive = inArchive('public');
    expect(archive.lines('organization.jsonl')).toMatchObject([
      { name: 'Team Chat', owner_full_content_access: true, can_create_groups: expect.anything() },
    ]);
    expect(archive.lines('user_groups.jsonl')).toContainEqual(
      expect.objectContaining({ name: 'makers', members: [agreeing.userId] }),
    );
    expect(archive.lines('channel_folders.jsonl')).toMatchObject([{ name: 'folder of all' }]);
    expect(archive.lines('custom_profile_fields.jsonl')).toMatchObject([{ name: 'Pronouns of all' }]);
  });

  test('Contains no private channel, and no private data of anybody', () => {
    const archive = inArchive('public');
    expect(channelIdsIn(archive)).toContain(channels.open);
    for (const name of ['shared', 'late', 'closed'])
      expect(channelIdsIn(archive)).not.toContain(channels[name]);
    expect(archive.lines('private/')).toEqual([]);
    expect(archive.text).not.toMatch(/secret"|(draft|state|snippet|alert|scheduled) of/);
  });

  test('Holds the pictures of people, of the organization and of its emoji', async () => {
    const { files, text } = inArchive('public');
    const named = [...text.matchAll(/\/user_avatars\/([0-9a-z.-]+)/g)].map(([, name]) => name);
    // Pictures that are made of the number of an account are no files.
    const addresses = named.filter((name) => !/^j\d+/.test(name ?? ''));
    expect(new Set(addresses).size).toBeGreaterThanOrEqual(3);
    for (const name of addresses) {
      const shown = await fetch(`${service.url}/user_avatars/${name}`);
      expect(files.get(`files/pictures/${name}`)).toEqual(Buffer.from(await shown.arrayBuffer()));
    }
    expect(inArchive('public').lines('emoji.jsonl')).toMatchObject([{ name: 'shared_emoji' }]);
  });

  test('Holds the reactions to its messages, and what people added to them', () => {
    const messages = inArchive('public').lines('messages/');
    const message = messages.find(({ content }) => content === '/poll react?');
    expect(message.reactions).toMatchObject([
      { user_id: agreeing.userId, emoji_name: 'octopus', reaction_type: 'unicode_emoji' },
    ]);
    expect(message.submessages).toMatchObject([
      { id: message.id, sender_id: owner.userId, msg_type: 'widget' },
      { sender_id: agreeing.userId, msg_type: 'widget', content: '{"type":"vote","key":"x","vote":1}' },
    ]);
  });

  test('Names the subscribers of each channel', () => {
    const open = inArchive('public')
      .lines('channels.jsonl')
      .find(({ stream_id: id }) => id === channels.open);
    const people = [owner, agreeing, refusing, guest].map(({ userId }) => userId);
    expect(open.subscribers).toEqual(people.sort((a, b) => a - b));
  });
});

describe('An export with consent', () => {
  test('Also holds the private channels and direct messages that consenting users can read', () => {
    expect(sentIn(inArchive('full_with_consent'))).toEqual([...sent.public, ...sent.consent].sort());
  });

  test('Holds the private data of consenting users, and of no other user', () => {
    const archive = inArchive('full_with_consent');
    for (const { user_id: id } of archive.lines('private/')) expect(id).toBe(agreeing.userId);
    expect(archive.text).not.toMatch(/(draft|state|snippet|alert|scheduled|topic) of refusing/);
    expect(archive.text).not.toContain(refusing.email);
    expectEverythingOf(archive, agreeing, 'of agreeing');
  });

  test('Contains only those private channels that have a consenting user', () => {
    const known = channelIdsIn(inArchive('full_with_consent'));
    expect(known).toEqual(expect.arrayContaining([channels.open, channels.shared, channels.late]));
    expect(known).not.toContain(channels.closed);
  });
});

describe('An export without consent', () => {
  test('Holds every message', () => {
    const all = Object.values(sent).flat().sort();
    expect(sentIn(inArchive('full_without_consent'))).toEqual(all);
  });

  test('Holds private data of every user, and their addresses', () => {
    const archive = inArchive('full_without_consent');
    expectEverythingOf(archive, agreeing, 'of agreeing');
    expectEverythingOf(archive, refusing, 'of refusing');
    expect(archive.privateOf(gone, 'settings')).toHaveLength(1);
    const addresses = archive.lines('users.jsonl').map(({ delivery_email: address }) => address);
    for (const client of [owner, agreeing, refusing, guest, gone]) expect(addresses).toContain(client.email);
  });
});

function expectEverythingOf(archive: Archive, client: Client, mark: string): void {
  const kind = (name: string) => archive.privateOf(client, name);
  expect(kind('settings')).toMatchObject([{ web_font_size_px: client === agreeing ? 21 : 22 }]);
  expect(kind('draft')).toMatchObject([{ content: `draft ${mark}` }]);
  expect(kind('saved_snippet')).toMatchObject([{ content: `snippet ${mark}` }]);
  expect(kind('bot_storage')).toEqual([{ key: 'state', value: `state ${mark}` }]);
  expect(kind('scheduled_message')).toMatchObject([{ content: `scheduled ${mark}` }]);
  expect(kind('alert_word')).toEqual([`alert ${mark}`]);
  expect(kind('navigation_view')).toMatchObject([{ fragment: `narrow/${mark}` }]);
  expect(kind('muted_user')).toMatchObject([{ id: guest.userId }]);
  expect(kind('topic_preference')).toContainEqual(expect.objectContaining({ topic_name: `topic ${mark}` }));
  expect(kind('subscription')).toContainEqual(
    expect.objectContaining({ stream_id: channels.open, is_subscribed: true }),
  );
  expect(kind('starred_message')).toHaveLength(1);
  expect(kind('read_state')).toMatchObject([{ readThrough: expect.any(Number), read: expect.any(Array) }]);
}

describe('Every export', () => {
  const types = ['public', 'full_with_consent', 'full_without_consent'];

  test.each(types)('States its contents and its position in the log: %s', (type) => {
    const archive = inArchive(type);
    const { manifest, files } = archive;
    const ids = archive.lines('messages/').map(({ id }) => id);
    expect(manifest).toMatchObject({
      export_type: type,
      organization: { name: 'Team Chat', url: service.url },
      position: expect.any(Number),
      counts: { messages: ids.length, users: archive.lines('users.jsonl').length },
    });
    expect(files.get('README.txt')?.toString()).toContain('Team Chat');
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(ids.at(-1)).toBeLessThanOrEqual(manifest.position);
  });

  test.each(types)('Holds no password, key or queue: %s', async (type) => {
    const { text } = inArchive(type);
    for (const client of [owner, agreeing, refusing, guest]) expect(text).not.toContain(client.apiKey);
    expect(text).not.toContain(await service.services.secret());
    expect(text).not.toMatch(/passwordHash|keyVersion|scrypt|argon2|queue_id|queueId|addressKey|writeId/);
    expect(text).not.toContain(PASSWORD);
  });
});
