import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { Client } from '#tests/harness/client.ts';
import { PASSWORD } from '#tests/harness/service.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';
import { STEP } from './browser.ts';
import { launchBrowser } from './launch.ts';
import { openPair } from './pair.ts';

const browser = await launchBrowser();
/** The same table and secret before and after a restart. */
const table = await openTestTable();
const kept = { openTable: () => table, secret: randomUUID() };
const { stage, ada, bo, channel, hashOf, open } = await openPair(browser, kept);

const addressOf = (topic: string): string => `${stage.service.url}/${hashOf(topic)}`;

/** The service's messages of a topic, oldest first. */
async function contentsOf(topic: string): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: channel.channelId },
    { operator: 'topic', operand: topic },
  ];
  const asked = { narrow, anchor: 'newest', num_before: 200, num_after: 0, apply_markdown: false };
  const { body } = await new Client(stage.service.url, bo).get('/messages', asked);
  return body.messages.map(({ content }: { content: string }) => content);
}

describe.runIf(browser)('A browser with a failing connection or service', () => {
  beforeEach(() => stage.untilSockets(0));

  test('Shows messages from a network failure once and in order when the network returns', async () => {
    const visitor = await open(hashOf('tunnel'));
    await visitor.context.setOffline(true);
    await visitor.page.getByText('Messages will be sent when you’re back.').waitFor();
    for (const text of ['first', 'second', 'third']) await visitor.say(text);
    await bo.send(channel.name, 'tunnel', 'from above');
    await visitor.page.getByText('Trying again in').first().waitFor();
    await expect.poll(() => visitor.page.locator('.pending').count(), STEP).toBe(3);
    await visitor.context.setOffline(false);
    await visitor.reads('from above');
    await visitor.reads('third');
    await visitor.page.locator('.pending').first().waitFor({ state: 'detached' });
    expect(await contentsOf('tunnel')).toEqual(['from above', 'first', 'second', 'third']);
    await visitor.page.getByText('Messages will be sent when you’re back.').waitFor({ state: 'detached' });
    await visitor.context.close();
  });

  test('Shows a message that is sent during a restart of the service once, like messages of others', async () => {
    const visitor = await open(hashOf('restart'));
    await visitor.say('before');
    await visitor.reads('before');
    // The answer to this one is lost: the service has it, and the page does not know.
    await visitor.page.route(
      '**/api/v1/messages',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await visitor.say('answer lost');
    await expect.poll(() => contentsOf('restart'), STEP).toContain('answer lost');
    await stage.restart();
    await visitor.say('after');
    await new Client(stage.service.url, bo).send(channel.name, 'restart', 'from Bo');
    await visitor.reads('from Bo');
    await visitor.reads('after');
    await visitor.page.locator('.pending').first().waitFor({ state: 'detached' });
    expect((await contentsOf('restart')).toSorted()).toEqual(['after', 'answer lost', 'before', 'from Bo']);
    await visitor.context.close();
  });

  test('Pauses as the service requests, shows the next attempt, and lets the viewer retry at once', async () => {
    const visitor = await open(hashOf('busy'));
    let refused = 0;
    await visitor.page.route('**/api/v1/messages', (route) => {
      if (route.request().method() !== 'POST' || refused > 0) return route.continue();
      refused += 1;
      const body = {
        result: 'error',
        msg: 'API usage exceeded rate limit',
        code: 'RATE_LIMIT_HIT',
        'retry-after': 600,
      };
      return route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json: body });
    });
    await visitor.say('patience');
    const row = visitor.page.locator('.pending');
    await row.getByText('Waiting a moment before sending').waitFor();
    await row.getByText(/Trying again in \d{3} s/).waitFor();
    expect(await contentsOf('busy')).toEqual([]);
    await row.getByRole('button', { name: 'Try now' }).click();
    await visitor.reads('patience');
    expect(await contentsOf('busy')).toEqual(['patience']);
    await visitor.context.close();
  });

  test('Reports a failing service for messages and events, and the viewer may retry at once', async () => {
    const visitor = await open(hashOf('broken'));
    await stage.untilSockets(1);
    // Long enough that the viewer is sooner.
    await visitor.page.route(/\/api\/v1\/(events|messages)/, (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '600' }, body: '' }),
    );
    await stage.endSockets();
    await visitor.say('during');
    await visitor.page.locator('.pending').getByText('Can’t send right now').waitFor();
    await visitor.page.getByText('Something went wrong on our side. Your messages are safe.').waitFor();
    await visitor.page.unroute(/\/api\/v1\/(events|messages)/);
    await visitor.page.locator('.banner').getByRole('button', { name: 'Try now' }).click();
    await visitor.reads('during');
    expect(await contentsOf('broken')).toEqual(['during']);
    await visitor.context.close();
  });

  test('Keeps the draft, the narrow and the place in the feed after its queue expired', async () => {
    for (let index = 0; index < 40; index += 1) await bo.send(channel.name, 'place', `line ${index}`);
    const visitor = await open(hashOf('place'));
    const { page } = visitor;
    await visitor.composer.fill('Waiting to send');
    await visitor.reads('line 0');
    await page.locator('.feed').evaluate((feed) => feed.scrollTo({ top: feed.scrollHeight / 2 }));
    const topLine = () =>
      page.evaluate(() => {
        const top = document.querySelector('.feed')!.getBoundingClientRect().top;
        const rows = [...document.querySelectorAll<HTMLElement>('[data-message-id]')];
        return rows.find((row) => row.getBoundingClientRect().bottom > top)?.dataset.messageId;
      });
    let before = await topLine();
    const standsStill = async () => {
      const last = before;
      before = await topLine();
      return before === last && (await page.evaluate(() => history.state?.place !== undefined));
    };
    await expect.poll(standsStill, { ...STEP, interval: 300 }).toBe(true);
    await stage.untilSockets(1);
    const [queueId] = await stage.listSockets();
    const fetched = page.waitForResponse(/\/api\/v1\/messages\?/);
    await new Client(stage.service.url, ada).delete('/events', { queue_id: queueId });
    await stage.endSockets();
    await fetched;
    await bo.send(channel.name, 'elsewhere', 'after that');
    await page.getByRole('navigation').getByText('elsewhere').waitFor();
    await expect.poll(topLine, STEP).toBe(before);
    expect(await visitor.composer.inputValue()).toBe('Waiting to send');
    expect(page.url()).toBe(addressOf('place'));
    await visitor.context.close();
  });

  test('Polls at once after a computer wakes', async () => {
    const visitor = await open(hashOf('sleep'));
    const { page } = visitor;
    await stage.untilSockets(1);
    const [queueId] = await stage.listSockets();
    await page.clock.install();
    await page.reload();
    await visitor.composer.waitFor();
    await stage.untilOtherSocket(queueId);
    const asked = page.waitForRequest(/\/api\/v1\/events\?.*dont_block/);
    await page.clock.fastForward(3_600_000);
    await asked;
    await bo.send(channel.name, 'sleep', 'good morning');
    await page.clock.resume();
    await visitor.reads('good morning');
    await visitor.context.close();
  });

  test('Shows in two tabs of one account the messages of either, once', async () => {
    const visitor = await open(hashOf('tabs'));
    const other = await visitor.context.newPage();
    await other.goto(addressOf('tabs'));
    await other.locator('#compose-text').waitFor();
    await visitor.say('from the first tab');
    const there = other.locator('.message:not(.pending) .rendered', { hasText: 'from the first tab' });
    await there.waitFor();
    await other.locator('#compose-text').fill('from the second tab');
    await other.getByRole('button', { name: 'Send', exact: true }).click();
    await visitor.reads('from the second tab');
    expect(await contentsOf('tabs')).toEqual(['from the first tab', 'from the second tab']);
    expect(await there.count()).toBe(1);
    await visitor.leave();
  });

  test('Sends a message of a closed page by the next page', async () => {
    const visitor = await open(hashOf('closed'));
    await visitor.page.route('**/api/v1/messages', (route) => route.abort());
    await visitor.say('left behind');
    await visitor.page.locator('.pending').getByText('Trying again in').waitFor();
    await visitor.page.close();
    const next = await visitor.context.newPage();
    await next.goto(addressOf('closed'));
    await next.locator('.message:not(.pending) .rendered', { hasText: 'left behind' }).waitFor();
    expect(await contentsOf('closed')).toEqual(['left behind']);
    await visitor.context.close();
  });

  test('Sends a message of one page by another as soon as the first is closed', async () => {
    const visitor = await open(hashOf('handed'));
    await visitor.page.route('**/api/v1/messages', (route) => route.abort());
    await visitor.say('taken over');
    await visitor.page.locator('.pending').getByText('Trying again in').waitFor();
    const other = await visitor.context.newPage();
    await other.goto(addressOf('handed'));
    await other.getByRole('button', { name: 'Send', exact: true }).waitFor();
    expect(await contentsOf('handed')).toEqual([]);
    await visitor.page.close();
    await other.locator('.message:not(.pending) .rendered', { hasText: 'taken over' }).waitFor();
    expect(await contentsOf('handed')).toEqual(['taken over']);
    await visitor.context.close();
  });

  test('Leads from a session that ended elsewhere to signing in, and back with the draft', async () => {
    const visitor = await open(hashOf('session'));
    const { page } = visitor;
    await stage.untilSockets(1);
    await visitor.composer.fill('half a thought');
    await visitor.context.clearCookies();
    await stage.endSockets();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => visitor.composer.inputValue(), STEP).toBe('half a thought');
    expect(page.url()).toBe(addressOf('session'));
    await bo.send(channel.name, 'session', 'welcome back');
    await visitor.reads('welcome back');
    await visitor.context.close();
  });
});
