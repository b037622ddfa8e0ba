import { beforeEach, describe, expect, test } from 'vitest';
import { Client } from '#tests/harness/client.ts';
import { eventually } from './browser.ts';
import { openPair } from './pair.ts';
import { openDurable } from './stage.ts';

const durable = await openDurable();
const pair = await openPair({ ...durable, mayComplain: true });
const { browser, stage, ada, bo, channel, hashOf, open, addressOf, contentsOf } = pair;

describe.runIf(browser)('A browser with a failing connection or service', () => {
  beforeEach(() => stage.untilSockets(0));

  test('Shows messages from a network failure once and in order when the network returns', async () => {
    const { visitor, page } = await open(hashOf('tunnel'));
    await visitor.context.setOffline(true);
    await page.getByText('Messages will be sent when you’re back.').waitFor();
    for (const text of ['first', 'second', 'third']) await visitor.say(text);
    await bo.send(channel.name, 'tunnel', 'from above');
    await page.getByText('Trying again in').first().waitFor();
    await eventually(() => page.locator('.pending').count()).toBe(3);
    await visitor.context.setOffline(false);
    await visitor.reads('from above');
    await visitor.reads('third');
    await page.locator('.pending').first().waitFor({ state: 'detached' });
    expect(await contentsOf('tunnel')).toEqual(['from above', 'first', 'second', 'third']);
    await page.getByText('Messages will be sent when you’re back.').waitFor({ state: 'detached' });
  });

  test('Shows a message that is sent during a restart of the service once, like messages of others', async () => {
    const { visitor, page } = await open(hashOf('restart'));
    await visitor.say('before');
    await visitor.reads('before');
    // The answer to this one is lost: the service has it, and the page does not know.
    await page.route(
      '**/api/v1/messages',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await visitor.say('answer lost');
    await eventually(() => contentsOf('restart')).toContain('answer lost');
    await stage.restart();
    await visitor.say('after');
    await new Client(stage.service.url, bo).send(channel.name, 'restart', 'from Bo');
    await visitor.reads('from Bo');
    await visitor.reads('after');
    await stage.untilSockets(1);
    await page.locator('.pending').first().waitFor({ state: 'detached' });
    expect((await contentsOf('restart')).toSorted()).toEqual(['after', 'answer lost', 'before', 'from Bo']);
  });

  test('Pauses as the service requests, shows the next attempt, and lets the viewer retry at once', async () => {
    const { visitor, page } = await open(hashOf('busy'));
    let refused = 0;
    await page.route('**/api/v1/messages', (route) => {
      if (route.request().method() !== 'POST' || refused > 0) return route.continue();
      refused += 1;
      const json = { result: 'error', msg: 'Too many', code: 'RATE_LIMIT_HIT', 'retry-after': 600 };
      return route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json });
    });
    await visitor.say('patience');
    const row = page.locator('.pending');
    await row.getByText('Waiting a moment before sending').waitFor();
    await row.getByText(/Trying again in \d{3} s/).waitFor();
    expect(await contentsOf('busy')).toEqual([]);
    await row.getByRole('button', { name: 'Try now' }).click();
    await visitor.reads('patience');
    expect(await contentsOf('busy')).toEqual(['patience']);
  });

  test('Reports a failing service for messages and events, and the viewer may retry at once', async () => {
    const { visitor, page } = await open(hashOf('broken'));
    await stage.untilSockets(1);
    // Long enough that the viewer is sooner.
    await page.route(/\/api\/v1\/(events|messages)/, (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '600' }, body: '' }),
    );
    await stage.endSockets();
    await visitor.say('during');
    await page.locator('.pending').getByText('Can’t send right now').waitFor();
    await page.getByText('Something went wrong on our side. Your messages are safe.').waitFor();
    await page.unroute(/\/api\/v1\/(events|messages)/);
    await page.locator('.banner').getByRole('button', { name: 'Try now' }).click();
    await visitor.reads('during');
    expect(await contentsOf('broken')).toEqual(['during']);
  });

  test('Keeps the draft, the narrow and the place in the feed after its queue expired', async () => {
    for (let index = 0; index < 40; index += 1) await bo.send(channel.name, 'place', `line ${index}`);
    const { visitor, page } = await open(hashOf('place'));
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
    await eventually(standsStill, { interval: 300 }).toBe(true);
    await stage.untilSockets(1);
    const [queueId] = await stage.listSockets();
    const fetched = page.waitForResponse(/\/api\/v1\/messages\?/);
    await new Client(stage.service.url, ada).delete('/events', { queue_id: queueId });
    await stage.endSockets();
    await fetched;
    await stage.untilOtherSocket(queueId);
    await bo.send(channel.name, 'elsewhere', 'after that');
    await page.getByRole('navigation').getByText('elsewhere').waitFor();
    await eventually(topLine).toBe(before);
    expect(await visitor.composer.inputValue()).toBe('Waiting to send');
    expect(page.url()).toBe(addressOf('place'));
  });

  test('Polls at once after a computer wakes', async () => {
    const { visitor, page } = await open(hashOf('sleep'));
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
  });

  test('Shows in two tabs of one account, with a socket each, the messages of either, once', async () => {
    const { visitor } = await open(hashOf('tabs'));
    const other = await visitor.openTab();
    await stage.untilSockets(2);
    await visitor.say('from the first tab');
    await other.reads('from the first tab');
    await other.say('from the second tab');
    await visitor.reads('from the second tab');
    expect(await contentsOf('tabs')).toEqual(['from the first tab', 'from the second tab']);
    expect(await other.page.locator('.message', { hasText: 'from the first tab' }).count()).toBe(1);
    expect(visitor.complaints).toEqual([]);
  });

  test('Sends a message of a closed page by the next page', async () => {
    const { visitor, page } = await open(hashOf('closed'));
    await page.route('**/api/v1/messages', (route) => route.abort());
    await visitor.say('left behind');
    await page.locator('.pending').getByText('Trying again in').waitFor();
    await page.close();
    const next = await visitor.openTab(addressOf('closed'));
    await next.reads('left behind');
    expect(await contentsOf('closed')).toEqual(['left behind']);
  });

  test('Sends a message of one page by another as soon as the first is closed', async () => {
    const { visitor, page } = await open(hashOf('handed'));
    await page.route('**/api/v1/messages', (route) => route.abort());
    await visitor.say('taken over');
    await page.locator('.pending').getByText('Trying again in').waitFor();
    const other = await visitor.openTab();
    await other.composer.waitFor();
    expect(await contentsOf('handed')).toEqual([]);
    await page.close();
    await other.reads('taken over');
    expect(await contentsOf('handed')).toEqual(['taken over']);
  });

  test('Leads from a session that ended elsewhere to signing in, and back with the draft', async () => {
    const { visitor, page } = await open(hashOf('session'));
    await stage.untilSockets(1);
    await visitor.composer.fill('half a thought');
    await visitor.context.clearCookies();
    await stage.endSockets();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await visitor.authenticate(ada.email);
    await visitor.expectDraft('half a thought');
    expect(page.url()).toBe(addressOf('session'));
    await bo.send(channel.name, 'session', 'welcome back');
    await visitor.reads('welcome back');
  });
});
