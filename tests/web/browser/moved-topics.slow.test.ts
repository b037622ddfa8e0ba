import { describe, expect, test } from 'vitest';
import { createChannel } from '#tests/harness/scene.ts';
import { eventually, type Visitor } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, openMessage, messagesOf } = await openPair();
const { owner } = stage.service;

/** The service's messages of a topic by people, oldest first. */
const contentsOf = async (topic: string): Promise<string[]> =>
  (await messagesOf(topic))
    .filter(({ sender_email: email }) => !email.startsWith('notification-bot@'))
    .map(({ content }) => content);

const moveTo = async (id: number, topic: string, params: Record<string, unknown> = {}): Promise<void> => {
  const { status, body } = await owner.patch(`/messages/${id}`, {
    ...{ topic, propagate_mode: 'change_all', send_notification_to_new_thread: false },
    ...params,
  });
  expect(status, JSON.stringify(body)).toBe(200);
};

/** A topic with a message of Bo, open at Ada's. */
const openTopic = (topic: string) => openMessage(topic, 'before');

/** Answers no request to send, as a network that has just gone. */
const cutSending = ({ page }: Visitor) =>
  page.route('**/api/v1/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );

describe.runIf(browser)('A message written while a topic moves', () => {
  test('Goes to the new title after a time without network, in order', async () => {
    const { visitor, id } = await openTopic('tunnel');
    await visitor.context.setOffline(true);
    for (const text of ['first', 'second']) await visitor.say(text);
    await moveTo(id, 'daylight');
    await visitor.context.setOffline(false);
    await visitor.page.getByRole('heading', { level: 1, name: 'daylight' }).waitFor();
    await visitor.reads('second');
    expect(await contentsOf('daylight')).toEqual(['before', 'first', 'second']);
    expect(await contentsOf('tunnel')).toEqual([]);
    await visitor.context.close();
  });

  test('Goes to the new title although no event of the move came, and to the old one if only a part moved', async () => {
    const { visitor, id } = await openTopic('deaf');
    const later = await bo.send(channel.name, 'half', 'stays');
    await bo.send(channel.name, 'half', 'goes');
    const { page } = visitor;
    await stage.untilSockets(1);
    // From now on the page gets neither events nor an answer to what it sends.
    await page.route('**/api/v1/events?*', (route) => route.abort());
    await visitor.goTo(stage.service, hashOf('half'));
    await visitor.reads('goes');
    await cutSending(visitor);
    await stage.endSockets();
    await page.routeWebSocket('**', (socket) => socket.close());
    await visitor.say('to the half');
    await visitor.goTo(stage.service, hashOf('deaf'));
    await visitor.say('to the whole');
    await page.locator('.pending').getByText('Trying again in').waitFor();
    await moveTo(id, 'hearing');
    await moveTo(later + 1, 'other half', { propagate_mode: 'change_one' });
    await page.unroute('**/api/v1/messages');
    await eventually(() => contentsOf('hearing')).toEqual(['before', 'to the whole']);
    await eventually(() => contentsOf('half')).toEqual(['stays', 'to the half']);
    expect(await contentsOf('deaf')).toEqual([]);
    await visitor.context.close();
  });

  test('Arrives once if its answer was lost before the topic moved', async () => {
    const { visitor, id } = await openTopic('lost answer');
    await visitor.page.route(
      '**/api/v1/messages',
      async (route) => {
        await route.fetch();
        await moveTo(id, 'found answer');
        await route.abort();
      },
      { times: 1 },
    );
    await visitor.say('only once');
    await visitor.page.getByRole('heading', { level: 1, name: 'found answer' }).waitFor();
    await visitor.page.locator('.pending').first().waitFor({ state: 'detached' });
    expect(await contentsOf('found answer')).toEqual(['before', 'only once']);
    expect(await contentsOf('lost answer')).toEqual([]);
    await visitor.context.close();
  });

  test('Goes to the new title from a page that was closed before', async () => {
    const { visitor, id } = await openTopic('left');
    await cutSending(visitor);
    await visitor.say('left behind');
    await visitor.page.locator('.pending').getByText('Trying again in').waitFor();
    await visitor.page.close();
    await moveTo(id, 'right');
    await visitor.openTab(`${stage.service.url}/#inbox`);
    await eventually(() => contentsOf('right')).toEqual(['before', 'left behind']);
    expect(await contentsOf('left')).toEqual([]);
    await visitor.context.close();
  });

  test('Stays with a reason if the topic was deleted, and the open topic says why it is empty', async () => {
    const { visitor, page, id } = await openTopic('doomed');
    await cutSending(visitor);
    await visitor.say('too late');
    await page.locator('.pending').getByText('Trying again in').waitFor();
    await owner.delete(`/messages/${id}`);
    await page.unroute('**/api/v1/messages');
    await page.locator('.pending').getByText('Not sent: the topic was deleted').waitFor();
    expect(await contentsOf('doomed')).toEqual([]);
    await page.locator('.pending').getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'This topic is empty now' }).waitFor();
    expect(await visitor.composer.inputValue()).toBe('too late');
    await visitor.context.close();
  });

  test('Stays one draft, which moves with the topic, if it is saved after a time without network', async () => {
    const { visitor, page, id } = await openTopic('drafted');
    const drafts = async (): Promise<string[]> =>
      (await ada.get('/drafts')).body.drafts
        .filter(({ content }: { content: string }) => content === 'half a reply')
        .map(({ topic }: { topic: string }) => topic);
    await visitor.context.setOffline(true);
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/drafts'));
    await visitor.composer.fill('half a reply');
    await failed;
    await moveTo(id, 'drafted 2');
    await visitor.context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'drafted 2' }).waitFor();
    await eventually(drafts).toEqual(['drafted 2']);
    await visitor.context.close();
  });

  test('Leaves a reader who may not follow with a reason', async () => {
    const { visitor, id } = await openTopic('secret');
    const hidden = await createChannel(stage.service, [owner], { invite_only: true });
    await moveTo(id, 'secret', { stream_id: hidden.channelId, send_notification_to_old_thread: false });
    await visitor.page.getByRole('heading', { name: 'This topic is empty now' }).waitFor();
    await visitor.page.getByText('Its messages were deleted, or moved to a channel you’re not in.').waitFor();
  });
});

describe.runIf(browser)('A dialog or edit that is open while a topic moves', () => {
  test('Dialogs of polls, lists and scheduled messages send to the new title', async () => {
    const { visitor, page, id } = await openTopic('dialogs');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Formatting' }).click();
    await page.getByRole('button', { name: 'New poll' }).click();
    await dialog.getByLabel('Question').fill('Tea?');
    await moveTo(id, 'dialogs 2');
    await page.getByRole('heading', { level: 1, name: 'dialogs 2', includeHidden: true }).waitFor();
    await dialog.getByRole('button', { name: 'Create poll' }).click();
    await eventually(() => contentsOf('dialogs 2')).toEqual(['before', '/poll Tea?']);
    await page.getByRole('button', { name: 'New to-do list' }).click();
    await dialog.getByLabel('Title').fill('Tasks');
    await moveTo(id, 'dialogs 3');
    await page.getByRole('heading', { level: 1, name: 'dialogs 3', includeHidden: true }).waitFor();
    await dialog.getByRole('button', { name: 'Create list' }).click();
    await eventually(() => contentsOf('dialogs 3')).toEqual(['before', '/poll Tea?', '/todo Tasks']);
    await visitor.composer.fill('later');
    await page.getByRole('button', { name: 'Schedule message' }).click();
    await moveTo(id, 'dialogs 4');
    await page.getByRole('heading', { level: 1, name: 'dialogs 4', includeHidden: true }).waitFor();
    await dialog.locator('button', { hasText: 'Tomorrow' }).first().click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await ada.get('/scheduled_messages');
    expect(body.scheduled_messages).toMatchObject([{ topic: 'dialogs 4', content: 'later' }]);
    expect(await contentsOf('dialogs')).toEqual([]);
  });

  test('A dialog that renames or deletes a topic acts on it under its present title', async () => {
    const { visitor, page, id } = await openTopic('names');
    const dialog = page.getByRole('dialog');
    await visitor.choose('Topic menu', 'Rename topic…');
    await dialog.getByLabel('Topic').fill('my names');
    await moveTo(id, 'their names');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await eventually(() => contentsOf('my names')).toEqual(['before']);
  });

  /** Ada sends a message to the open topic, and begins to edit it; returns its id. */
  async function editInto(visitor: Visitor, topic: string): Promise<number> {
    const own = await ada.send(channel.name, topic, 'my words');
    await visitor.reads('my words');
    await visitor.composer.press('ArrowUp');
    await visitor.page.locator('.edit-box textarea').fill('my better words');
    return own;
  }

  test('An edit whose message is deleted after a rename leaves its text in the renamed topic', async () => {
    const { visitor, page, id } = await openTopic('edits');
    const own = await editInto(visitor, 'edits');
    await moveTo(id, 'edits 2');
    await page.getByRole('heading', { level: 1, name: 'edits 2' }).waitFor();
    await owner.delete(`/messages/${own}`);
    await page.getByText('Your text is in the message box').waitFor();
    expect(await visitor.composer.inputValue()).toBe('my better words');
  });

  test('An edit that was left before a reload keeps its text when its message is deleted', async () => {
    const { visitor, page } = await openTopic('left edit');
    const own = await editInto(visitor, 'left edit');
    await page.reload();
    await page.getByText('my words').first().waitFor();
    await owner.delete(`/messages/${own}`);
    await visitor.expectDraft('my better words');
  });
});

test.runIf(browser)('Another try of a message ends no running poll', async () => {
  const { visitor, page } = await openTopic('slow');
  // A browser without sockets, whose polls take for ever.
  await page.routeWebSocket('**', (socket) => socket.close());
  let polls = 0;
  let ended = 0;
  await page.route('**/api/v1/events?*', () => {
    polls += 1;
  });
  page.on('requestfailed', (request) => {
    if (request.url().includes('/api/v1/events?')) ended += 1;
  });
  await page.reload();
  await visitor.composer.waitFor();
  await eventually(() => polls).toBeGreaterThan(0);
  let tries = 0;
  await page.route('**/api/v1/messages', (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    tries += 1;
    return route.abort();
  });
  await visitor.say('patient');
  const row = page.locator('.pending');
  await row.getByText('Trying again in').waitFor();
  const before = { polls, ended };
  await row.getByRole('button', { name: 'Try now' }).click();
  await eventually(() => tries).toBeGreaterThan(1);
  await row.getByText('Trying again in').waitFor();
  expect({ polls, ended }).toEqual(before);
  await visitor.context.close();
});
