import { beforeEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { newestUpdateLevel } from '#shared/domain/organization/updates.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { createChannel, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const { services, owner } = service;
const news: TestChannel = await createChannel(service, [owner]);

const TOPICS = ['what’s new', 'Neuigkeiten'];

/** The organization is as a version left it that knew no later notices. */
const upgradeFrom = (updatesLevel: number) =>
  services.table.write({ kind: 'update', key: organizationKeys.organization(), set: { updatesLevel } });
const announceIn = (channelId: number) =>
  owner.patch('/realm', { zulip_update_announcements_stream_id: channelId });
const posted = async () =>
  (
    await owner.get('/messages', {
      narrow: [{ operator: 'channel', operand: news.channelId }],
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      apply_markdown: false,
    })
  ).body.messages.filter(({ subject }: { subject: string }) => TOPICS.includes(subject));

beforeEach(async () => {
  await announceIn(-1);
  await upgradeFrom(newestUpdateLevel);
});

test('After an upgrade the notification bot posts what is new, once, however many sweeps run', async () => {
  await announceIn(news.channelId);
  await upgradeFrom(0);
  await Promise.all([sweep(services), sweep(services)]);
  await sweep(services);
  const messages = await posted();
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({ sender_full_name: 'Notification Bot', subject: 'what’s new' });
  expect(messages[0].content).toMatch(/^\*\*New in this version:\*\*/);
});

test('An organization without such a channel gets no notice, and no old one when it chooses a channel later', async () => {
  const before = await posted();
  await upgradeFrom(0);
  await sweep(services);
  await announceIn(news.channelId);
  await sweep(services);
  expect(await posted()).toEqual(before);
});

test('A new organization begins without the notices of earlier versions', async () => {
  const before = await posted();
  const { table } = services;
  expect(await table.find(organizationKeys.organization())).toMatchObject({
    updatesLevel: newestUpdateLevel,
  });
  await announceIn(news.channelId);
  await sweep(services);
  expect(await posted()).toEqual(before);
});

test('The notice is written in the language of the organization', async () => {
  await owner.patch('/realm', { default_language: 'de' });
  await announceIn(news.channelId);
  await upgradeFrom(0);
  await sweep(services);
  const newest = (await posted()).at(-1);
  expect(newest).toMatchObject({ subject: 'Neuigkeiten' });
  expect(newest.content).toMatch(/^\*\*Neu in dieser Version:\*\*/);
});
