import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createUsers } from '#tests/harness/scene.ts';
import { eventually } from './browser.ts';
import { copySelection, paste, select } from './clipboard.ts';
import { openPair } from './pair.ts';

const pair = await openPair({ publicUrl: 'http://chat.example' });
const { browser, stage, ada, bo, channel, hashOf, open, openMessage, upload } = pair;

describe.runIf(browser)('In a browser', () => {
  test('A page without TLS signs in, sends, edits and copies', async () => {
    const { visitor, page } = await stage.visit();
    const url = stage.service.url.replace('127.0.0.1', 'chat.example');
    await page.goto(`${url}/login/`);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await visitor.authenticate(ada.email);
    await page.getByRole('navigation', { name: 'Navigation' }).waitFor();
    await page.goto(`${url}/${hashOf('plain')}`);
    await visitor.say('without TLS');
    await visitor.reads('without TLS');
    const box = await visitor.startEdit('without TLS');
    await box.fill('```js\nlet a;\n```');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
  });

  test('A message of a closed page without locks is sent by the next page', async () => {
    const { visitor, page, context } = await open(hashOf('unlocked'));
    await context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
      Reflect.deleteProperty(Navigator.prototype, 'locks');
    });
    await page.reload();
    await visitor.composer.waitFor();
    await context.route('**/api/v1/messages', (route) => route.abort());
    await visitor.say('left behind');
    await page.getByText('left behind').first().waitFor();
    await context.unroute('**/api/v1/messages');
    await page.reload();
    await visitor.reads('left behind');
    await visitor.context.close();
  });

  test('An edit that is too long or empty is refused beside its box, and stays', async () => {
    const { visitor, page } = await openMessage('limits', 'as it was', {}, ada);
    const box = await visitor.startEdit('as it was');
    const form = page.locator('.edit-box');
    for (const [text, refusal] of [
      ['😀'.repeat(10_001), /Shorten your message by 1 character/],
      [' ', /Write something/],
    ] as const) {
      await box.fill(text);
      await page.keyboard.press('Control+Enter');
      await form.getByRole('alert').filter({ hasText: refusal }).waitFor();
      expect(await box.inputValue()).toBe(text);
    }
    await page.getByRole('button', { name: 'Cancel' }).click();
    await visitor.reads('as it was');
  });

  test('Completion continues behind numbers and names, and distinguishes people who differ by letter case', async () => {
    await createUsers(stage.service, 'Kim', 'KIM');
    await bo.send(channel.name, 'Launch', 'one');
    const { page, composer } = await open(hashOf('words'));
    for (const [begun, option, written] of [
      ['see #12 and :rock', ':rocket:', 'see #12 and :rocket: '],
      ['@Bo and @Ad', 'Ada', '@Bo and @**Ada** '],
      ['@everyo', 'all', '@**all** '],
      ['@kim', 'KIM', /^@\*\*KIM\|\d+\*\* $/],
      [`#**${channel.name.toUpperCase()}>lau`, 'Launch', `#**${channel.name}>Launch** `],
      ['```quote\n```js\nx\n```\n@Ad', 'Ada', '```quote\n```js\nx\n```\n@**Ada** '],
    ] as const) {
      await composer.fill('');
      await composer.pressSequentially(begun);
      await page.getByRole('option').getByText(option, { exact: true }).click();
      if (typeof written === 'string') expect(await composer.inputValue()).toBe(written);
      else expect(await composer.inputValue()).toMatch(written);
    }
  });

  test('Text from right to left has its marks, bars and columns at the right', async () => {
    const text = [
      ...['* אחד', '* two', '', '1. واحد', '', '> ציטוט', ''],
      ...['| عمود | أول |', '|---|---|', '| قيمة | ثانية |', ''],
      ...['- אחד', '', '  פסקה'],
    ];
    await bo.send(channel.name, 'sides', `${text.join('\n')}\n\nEnglish\n\n* one`);
    await bo.send(channel.name, 'sides', '/poll מה לאכול?\nפיצה!');
    await bo.send(channel.name, 'שלום!', 'one');
    const { visitor, page } = await open(hashOf('sides'));
    await visitor.reads('ציטוט');
    const directions = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
    const right = await directions('.message .rendered :is(ul, ol, li, blockquote, table, td)');
    expect(right.slice(-2)).toEqual(['ltr', 'ltr']);
    expect(new Set(right.slice(0, -2))).toEqual(new Set(['rtl']));
    expect(await directions('.widget-head strong, .widget-line bdi')).toEqual(['rtl', 'rtl']);
    await visitor.goTo(stage.service, '#feed');
    await page.locator('.message').first().waitFor();
    await page.keyboard.press('End');
    const topic = page.locator('.bar a', { hasText: 'שלום!' });
    // The sign at the end of the name is at its left.
    const [sign, letter] = await topic.evaluate((link) =>
      [4, 0].map((at) => {
        const range = document.createRange();
        range.setStart(link.firstChild!, at);
        range.setEnd(link.firstChild!, at + 1);
        return range.getBoundingClientRect().left;
      }),
    );
    expect(sign).toBeLessThan(letter!);
    await visitor.context.close();
  });

  test('Sounds of all kinds have players, and one that cannot be played has a link too', async () => {
    const sound = new Uint8Array(await readFile('web/static/audio/notification_sounds/ding.wav'));
    const [wav, ogg, broken] = [
      await upload(new File([sound], 'ding.wav')),
      // Browsers find the kind of a sound in its bytes.
      await upload(new File([sound], 'voice.ogg')),
      await upload(new File([new Uint8Array(2_000)], 'broken.mp3')),
    ];
    const text = `![ding.wav](${wav})\n\n[voice.ogg](${ogg})\n\n![broken.mp3](${broken})`;
    await bo.send(channel.name, 'sounds', text);
    const { visitor, page } = await open(hashOf('sounds'));
    const message = page.locator('.message');
    await message.getByRole('link', { name: 'broken.mp3' }).waitFor();
    await eventually(() => message.locator('audio[controls]').count()).toBe(3);
    expect(await message.getByRole('link').allTextContents()).toEqual(['voice.ogg', 'broken.mp3']);
    await visitor.context.close();
  });

  test('A copied part of code or of a table reads as it stands, and a closed spoiler stays closed', async () => {
    const code = 'if x:\n    one = 1\n\n\n    two = 2';
    await bo.send(channel.name, 'parts', `\`\`\`py\n    start\n${code}\n\`\`\``);
    await bo.send(channel.name, 'parts', '| name | age |\n|---|---|\n| Ann | 30 |\n| Ben | 40 |');
    await bo.send(channel.name, 'parts', '3. third\n4. fourth word\n5. fifth');
    await bo.send(channel.name, 'parts', 'open\n```spoiler ending\nthe butler\n```\nafter');
    const { visitor, page } = await open(hashOf('parts'));
    await visitor.reads('after');
    for (const [from, to, text] of [
      ['x', 'two', 'x:\n    one = 1\n\n\n    two'],
      ['start', 'one', 'start\nif x:\n    one'],
      ['Ann', '40', 'Ann\t30\nBen\t40'],
      ['Ann', 'Ann', 'Ann'],
      ['fourth', 'fifth', '4. fourth word\n5. fifth'],
      ['word', 'word', 'word'],
      ['open', 'after', 'open\n\nending\n\nafter'],
    ] as const) {
      await select(page, from, to);
      expect(await copySelection(page)).toBe(text);
    }
  });

  test('A quoted selection over several messages quotes its part of each', async () => {
    await bo.send(channel.name, 'dialogue', 'before the **start** of it');
    await ada.send(channel.name, 'dialogue', '```js\nlet open;');
    const { visitor, page } = await openMessage('dialogue', 'the end is here');
    await select(page, 'start', 'the end');
    await visitor.quote('the end is here');
    await visitor.expectDraft(
      /^@_\*\*Bo\|.*\n```quote\n\*\*start\*\* of it\n```\n\n@_\*\*Ada\|.*\n````quote\n```js\nlet open;\n```\n````\n\n@_\*\*Bo\|.*\n```quote\nthe end\n```\n$/,
    );
  });

  test('An address pasted over words makes a link that can be undone, and marks work in an edit', async () => {
    await ada.send(channel.name, 'marks', 'see this page');
    const { page, composer } = await open(hashOf('marks'));
    await composer.fill('see this page');
    await composer.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(4, 8));
    await paste(composer, { 'text/plain': 'https://example.com/a_(b)' });
    expect(await composer.inputValue()).toBe('see [this](https://example.com/a_%28b%29) page');
    await composer.press('Control+z');
    expect(await composer.inputValue()).toBe('see this page');
    await composer.fill('');
    await composer.press('ArrowUp');
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await eventually(() => box.inputValue()).toBe('see this page');
    await box.press('Control+a');
    await box.press('Control+b');
    expect(await box.inputValue()).toBe('**see this page**');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  const BLOCKED = "['localStorage', 'sessionStorage', 'indexedDB']";
  test.each([
    ['is full', 'Storage.prototype.setItem = fail;'],
    ['is refused', 'IDBFactory.prototype.open = fail;'],
    ['fails while it is written', 'IDBObjectStore.prototype.put = fail;'],
    ['is blocked', `for (const name of ${BLOCKED}) Object.defineProperty(window, name, { get: fail });`],
  ])('A browser whose storage %s keeps a draft while the page is open, and sends', async (what, change) => {
    const script = `const fail = () => { throw new DOMException('Full', 'QuotaExceededError'); }; ${change}`;
    const { visitor } = await open(hashOf('room'), {}, ({ context }) => context.addInitScript(script));
    await visitor.composer.fill('a draft');
    await visitor.goTo(stage.service, '#inbox');
    await visitor.goTo(stage.service, hashOf('room'));
    expect(await visitor.composer.inputValue()).toBe('a draft');
    await visitor.say(`sent although it ${what}`);
    await visitor.reads(`sent although it ${what}`);
  });

  test.each([-1, 1])('A device whose clock is %i day off keeps the newer draft', async (days) => {
    const topic = `drafts ${days}`;
    const place = { type: 'stream', to: [channel.channelId], topic };
    const timestamp = Math.floor(Date.now() / 1000) - 60;
    await ada.post('/drafts', { drafts: [{ ...place, content: 'from the other device', timestamp }] });
    const time = Date.now() + days * 24 * 3_600_000;
    const { visitor, page } = await open(hashOf(topic), {}, (visit) => visit.page.clock.install({ time }));
    visitor.expectComplaints();
    await visitor.expectDraft('from the other device');
    await visitor.composer.fill('written here later');
    const texts = async () => {
      const { body } = await ada.get('/drafts');
      return (body.drafts as { content: string }[]).map(({ content }) => content);
    };
    await eventually(texts).toContain('written here later');
    await page.reload();
    await visitor.expectDraft('written here later');
    await visitor.composer.fill('');
  });
});
