import { describe, expect, test } from 'vitest';
import { Client } from '#tests/harness/client.ts';
import { eventually } from './browser.ts';
import { openPair } from './pair.ts';
import { openDurable } from './stage.ts';

const pair = await openPair(await openDurable());
const { browser, stage, ada, bo, channel, hashOf, open, openMessage, contentsOf } = pair;

describe.runIf(browser)('A browser on a busy day', () => {
  test('Shows a message sent above many unread ones with its state, refusals included, and End leads to it', async () => {
    for (let batch = 0; batch < 15; batch += 1)
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => bo.send(channel.name, 'busy', `line ${batch * 10 + index}`)),
      );
    const { visitor, page } = await open(hashOf('busy'));
    await visitor.composer.waitFor();
    await visitor.refuseSending('Not today');
    await visitor.say('mine among many');
    const strip = page.locator('.sent-strip');
    await strip.getByText('Not sent: Not today').waitFor();
    await visitor.expectAccessible();
    await page.unroute('**/api/v1/messages');
    await strip.getByRole('button', { name: 'Try again' }).click();
    await strip.getByText(/^Sent /).waitFor();
    await strip.getByText('mine among many').waitFor();
    await strip.getByRole('button', { name: 'Jump to newest' }).click();
    await visitor.reads('mine among many');
    await strip.waitFor({ state: 'detached' });
    const inSight = (text: string) =>
      page.locator('.message:not(.pending)', { hasText: text }).evaluate((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        const feed = document.querySelector('.feed')!.getBoundingClientRect();
        return top >= feed.top - 1 && bottom <= feed.bottom + 1;
      });
    await page.locator('.main h1').click();
    await page.keyboard.press('Home');
    await visitor.reads('line 0');
    await eventually(() => page.locator('[data-message-id]').first().innerText()).toContain('line');
    await page.keyboard.press('End');
    await visitor.reads('mine among many');
    await eventually(() => inSight('mine among many')).toBe(true);
  });

  test('Moves its reader along when a topic is resolved, renamed and moved, with the draft and the answer', async () => {
    const { visitor, page, id } = await openMessage('plan', 'the first step');
    await visitor.composer.fill('half a reply');
    const rename = (topic: string) =>
      stage.service.owner.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' });
    await rename('✔ plan');
    await page.getByRole('heading', { level: 1, name: '✔ plan' }).waitFor();
    await page.getByText('marked this topic as resolved').first().waitFor();
    await visitor.reads('the first step');
    expect(await visitor.composer.inputValue()).toBe('half a reply');
    await rename('second plan');
    await page.getByRole('heading', { level: 1, name: 'second plan' }).waitFor();
    expect(await visitor.composer.inputValue()).toBe('half a reply');
    expect(page.url()).toContain('second.20plan');
    await visitor.send();
    await visitor.reads('half a reply');
    expect(await contentsOf('plan')).toEqual([]);
    // Another browser, that saw none of it, comes by links to the former titles.
    const { visitor: other } = await open(hashOf('.E2.9C.94.20second.20plan'));
    await other.page.getByRole('heading', { level: 1, name: 'second plan' }).waitFor();
    await other.page.getByText('is now “second plan”').waitFor();
    await stage.service.settle();
    const { visitor: third } = await open(hashOf('plan'));
    await third.page.getByRole('heading', { level: 1, name: 'second plan' }).waitFor();
  });

  test('Stays at the newest message while the topic is resolved, renamed and answered by others', async () => {
    const { owner } = stage.service;
    let id = 0;
    for (let line = 0; line < 24; line += 1)
      id = await (line % 2 ? bo : owner).send(channel.name, 'long plan', `line ${line}`);
    const { visitor, page } = await open(hashOf('long.20plan'));
    await page.keyboard.press('End');
    await visitor.reads('line 23');
    await visitor.composer.fill('half a reply');
    const rest = () =>
      page.locator('.feed').evaluate((feed) => feed.scrollHeight - feed.clientHeight - feed.scrollTop);
    await eventually(rest).toBeLessThan(3);
    for (const topic of ['✔ long plan', 'longer plan']) {
      await owner.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' });
      await page.getByRole('heading', { level: 1, name: topic }).waitFor();
      await eventually(rest).toBeLessThan(3);
    }
    await bo.send(channel.name, 'longer plan', 'the last word');
    await visitor.reads('the last word');
    await eventually(rest).toBeLessThan(3);
    expect(await page.locator('.to-bottom').count()).toBe(0);
  });

  test('Edits the last own message by the arrow that leads from the empty message box to it', async () => {
    const { visitor, page } = await openMessage('arrows', 'before');
    await visitor.say('my worsd');
    await visitor.reads('my worsd');
    await visitor.composer.press('x');
    await visitor.composer.press('ArrowUp');
    expect(await page.locator('.edit-box').count()).toBe(0);
    await visitor.composer.fill('');
    await visitor.composer.press('ArrowUp');
    await page.locator('.edit-box textarea').fill('my words');
    await page.keyboard.press('Control+Enter');
    await visitor.reads('my words');
  });

  test('Keeps a user in the topic that they resolve, and undoes it', async () => {
    const { visitor, page } = await openMessage('done soon', 'nearly there');
    await page.getByRole('button', { name: 'Mark as resolved' }).click();
    await page.getByRole('heading', { level: 1, name: '✔ done soon' }).waitFor();
    await visitor.reads('nearly there');
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: /› done soon$/ }).waitFor();
  });

  test('Sends a file of 6 MiB in pieces, waits for a lost network, continues, and can cancel', async () => {
    const { visitor, page } = await open(hashOf('big'));
    let isLost = false;
    let lost = 0;
    await page.route('**/api/v1/tus/**', (route) => {
      if (!isLost) return route.continue();
      lost += 1;
      return route.abort('internetdisconnected');
    });
    const drop = (name: string) => visitor.drop([{ name, bytes: 6 * 1024 * 1024 }]);
    page.on('request', (request) => {
      if (request.method() === 'PATCH' && lost === 0) isLost = true;
    });
    await drop('film.bin');
    await page.getByText('Waiting for a connection').waitFor();
    isLost = false;
    await visitor.uploads('film.bin');
    isLost = true;
    await drop('second.bin');
    await page.getByRole('button', { name: 'Cancel upload of second.bin' }).click();
    await visitor.attachment('second.bin').waitFor({ state: 'detached' });
    expect(await visitor.attachment('film.bin').count()).toBe(1);
    await visitor.context.close();
  });

  test('Keeps a sent message in view after a restart of the service, until its event comes', async () => {
    const { visitor, page } = await open(hashOf('restart'));
    await stage.untilSockets(1);
    // The event client stays away for long.
    await page.route(/\/api\/v1\/(events|register)/, (route) => route.abort());
    await stage.restart();
    await visitor.say('still here');
    await page.locator('.pending.sent').getByText('still here').waitFor();
    await page.waitForTimeout(6_000);
    expect(await page.locator('.pending.sent').getByText('still here').count()).toBe(1);
    await page.unroute(/\/api\/v1\/(events|register)/);
    await page.locator('.banner').getByRole('button', { name: 'Try now' }).click();
    await visitor.reads('still here');
    await page.locator('.pending').waitFor({ state: 'detached' });
    await visitor.context.close();
  });

  test('Shares one draft between two tabs, also if drafts stay on the device', async () => {
    const client = new Client(stage.service.url, ada);
    for (const enable_drafts_synchronization of [true, false]) {
      await client.patch('/settings', { enable_drafts_synchronization });
      const { visitor } = await open(hashOf('two-tabs'));
      const other = await visitor.openTab();
      await visitor.composer.fill('from one');
      await other.expectDraft('from one');
      await other.composer.fill('from one to the other');
      await visitor.expectDraft('from one to the other');
      await other.send();
      await visitor.expectDraft('');
      await visitor.leave();
    }
    await client.patch('/settings', { enable_drafts_synchronization: true });
  });

  test('Has one composer for a message in a channel, which requires its topic and cuts nothing', async () => {
    await new Client(stage.service.url, bo).send(channel.name, 'menu', 'soup');
    const { visitor, page } = await open(`#narrow/channel/${channel.channelId}`);
    await page.getByRole('button', { name: `New topic in ${channel.name}` }).click();
    const topic = page.getByRole('combobox', { name: 'Topic' });
    await topic.fill('Could somebody look at the oven, please? It is cold again since this morning');
    await page.getByText('That looks like a message.').waitFor();
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Move it to the text' }).click();
    await visitor.expectDraft('Could somebody look at the oven, please? It is cold again since this morning');
    await topic.fill('men');
    await page.getByRole('option', { name: 'menu', exact: true }).waitFor();
    await topic.press('Enter');
    await eventually(() => topic.inputValue()).toBe('menu');
    await visitor.send();
    await page.getByRole('heading', { level: 1, name: 'menu' }).waitFor();
    await visitor.reads('It is cold again');
  });

  test('Puts the quote of a forwarded message into the chosen topic and nowhere else', async () => {
    const sender = new Client(stage.service.url, bo);
    await sender.send(channel.name, 'origin', 'the words to pass on');
    await sender.send(channel.name, 'far away', 'something else');
    const { visitor, page } = await open(hashOf('origin'));
    await visitor.reads('the words to pass on');
    await page.locator('.main h1').click();
    await page.keyboard.press('k');
    await page.keyboard.press('<');
    const dialog = page.getByRole('dialog', { name: 'Forward message' });
    await dialog.getByRole('combobox').fill('#far');
    await dialog.getByRole('option', { name: 'far away' }).waitFor();
    expect(await dialog.getByRole('option', { name: 'Inbox' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'far away' }).waitFor();
    await visitor.expectDraft(/the words to pass on/);
    await visitor.goTo(stage.service, hashOf('origin'));
    expect(await visitor.composer.inputValue()).toBe('');
  });
});
