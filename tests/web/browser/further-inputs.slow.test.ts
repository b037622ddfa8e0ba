import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createUsers } from '#tests/harness/scene.ts';
import { PASSWORD } from '#tests/harness/service.ts';
import { STEP, Visitor } from './browser.ts';
import { launchBrowser } from './launch.ts';
import { openPair } from './pair.ts';

const browser = await launchBrowser();
const { stage, ada, bo, channel, hashOf, open } = await openPair(browser, {
  publicUrl: 'http://chat.example',
});

/** Selects from a text in the feed to another one, both included. */
const select = (page: Page, from: string, to: string) =>
  page.evaluate(
    ([first, last]) => {
      const texts: Text[] = [];
      const walker = document.createTreeWalker(document.querySelector('.feed')!, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      const start = texts.find(({ data }) => data.includes(first!))!;
      const end = texts.findLast(({ data }) => data.includes(last!))!;
      getSelection()!.setBaseAndExtent(
        start,
        start.data.indexOf(first!),
        end,
        end.data.indexOf(last!) + last!.length,
      );
    },
    [from, to],
  );

/** What a copy of the selection puts into the clipboard. */
const copied = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const clipboardData = new DataTransfer();
    const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('.feed .rendered')!.dispatchEvent(event);
    return clipboardData.getData('text/plain');
  });

describe.runIf(browser)('In a browser', () => {
  test('A page without TLS signs in, sends, edits and copies', async () => {
    const visitor = await Visitor.open(browser!);
    const { page } = visitor;
    const url = stage.service.url.replace('127.0.0.1', 'chat.example');
    await page.goto(`${url}/login/`);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Navigation' }).waitFor();
    await page.goto(`${url}/${hashOf('plain')}`);
    await visitor.say('without TLS');
    await visitor.reads('without TLS');
    await page.locator('.main h1').click();
    await page.keyboard.press('ArrowLeft');
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await expect.poll(() => box.inputValue(), STEP).toBe('without TLS');
    await box.fill('```js\nlet a;\n```');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await visitor.leave();
  });

  test('A message of a closed page without locks is sent by the next page', async () => {
    const visitor = await open(hashOf('unlocked'));
    const { page, context } = visitor;
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
    await ada.send(channel.name, 'limits', 'as it was');
    const visitor = await open(hashOf('limits'));
    const { page } = visitor;
    await visitor.reads('as it was');
    await page.locator('.main h1').click();
    await page.keyboard.press('ArrowLeft');
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await expect.poll(() => box.inputValue(), STEP).toBe('as it was');
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
    await visitor.leave();
  });

  test('Completion continues behind numbers and names, and distinguishes people who differ by letter case', async () => {
    await createUsers(stage.service, 'Kim', 'KIM');
    await bo.send(channel.name, 'Launch', 'one');
    const visitor = await open(hashOf('words'));
    const { page, composer } = visitor;
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
    await composer.fill('');
    await visitor.leave();
  });

  test('Text from right to left has its marks, bars and columns at the right', async () => {
    const text = [
      '* אחד',
      '* two',
      '',
      '1. واحد',
      '',
      '> ציטוט',
      '',
      '| عمود | أول |',
      '|---|---|',
      '| قيمة | ثانية |',
      '',
      '- אחד',
      '',
      '  פסקה',
    ];
    await bo.send(channel.name, 'sides', `${text.join('\n')}\n\nEnglish\n\n* one`);
    await bo.send(channel.name, 'sides', '/poll מה לאכול?\nפיצה!');
    await bo.send(channel.name, 'שלום!', 'one');
    const visitor = await open(hashOf('sides'));
    await visitor.reads('ציטוט');
    const directions = (selector: string) =>
      visitor.page
        .locator(selector)
        .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
    const right = await directions('.message .rendered :is(ul, ol, li, blockquote, table, td)');
    expect(right.slice(-2)).toEqual(['ltr', 'ltr']);
    expect(new Set(right.slice(0, -2))).toEqual(new Set(['rtl']));
    expect(await directions('.widget-head strong, .widget-line bdi')).toEqual(['rtl', 'rtl']);
    await visitor.goTo(stage.service, '#feed');
    await visitor.page.locator('.message').first().waitFor();
    await visitor.page.keyboard.press('End');
    const topic = visitor.page.locator('.bar a', { hasText: 'שלום!' });
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
    const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
      const form = new FormData();
      form.append('filename', new File([bytes], name));
      const reply = await fetch(`${stage.service.url}/api/v1/user_uploads`, {
        method: 'POST',
        body: form,
        headers: { authorization: bo.authorization },
      });
      return ((await reply.json()) as { url: string }).url;
    };
    const sound = new Uint8Array(await readFile('web/static/audio/notification_sounds/ding.wav'));
    const [wav, ogg, broken] = [
      await upload('ding.wav', sound),
      // Browsers find the kind of a sound in its bytes.
      await upload('voice.ogg', sound),
      await upload('broken.mp3', new Uint8Array(2_000)),
    ];
    await bo.send(
      channel.name,
      'sounds',
      `![ding.wav](${wav})\n\n[voice.ogg](${ogg})\n\n![broken.mp3](${broken})`,
    );
    const visitor = await open(hashOf('sounds'));
    const message = visitor.page.locator('.message');
    await message.getByRole('link', { name: 'broken.mp3' }).waitFor();
    await expect.poll(() => message.locator('audio[controls]').count(), STEP).toBe(3);
    expect(await message.getByRole('link').allTextContents()).toEqual(['voice.ogg', 'broken.mp3']);
    await visitor.context.close();
  });

  test('A copied part of code or of a table reads as it stands, and a closed spoiler stays closed', async () => {
    const code = 'if x:\n    one = 1\n\n\n    two = 2';
    await bo.send(channel.name, 'parts', `\`\`\`py\n    start\n${code}\n\`\`\``);
    await bo.send(channel.name, 'parts', '| name | age |\n|---|---|\n| Ann | 30 |\n| Ben | 40 |');
    await bo.send(channel.name, 'parts', '3. third\n4. fourth word\n5. fifth');
    await bo.send(channel.name, 'parts', 'open\n```spoiler ending\nthe butler\n```\nafter');
    const visitor = await open(hashOf('parts'));
    const { page } = visitor;
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
      expect(await copied(page)).toBe(text);
    }
    await visitor.leave();
  });

  test('A quoted selection over several messages quotes its part of each', async () => {
    await bo.send(channel.name, 'dialogue', 'before the **start** of it');
    await ada.send(channel.name, 'dialogue', '```js\nlet open;');
    await bo.send(channel.name, 'dialogue', 'the end is here');
    const visitor = await open(hashOf('dialogue'));
    const { page, composer } = visitor;
    await visitor.reads('the end is here');
    await select(page, 'start', 'the end');
    const last = page.locator('.message', { hasText: 'the end is here' });
    await last.hover();
    await last.getByRole('button', { name: 'Quote and reply' }).click();
    await expect
      .poll(() => composer.inputValue(), STEP)
      .toMatch(
        /^@_\*\*Bo\|.*\n```quote\n\*\*start\*\* of it\n```\n\n@_\*\*Ada\|.*\n````quote\n```js\nlet open;\n```\n````\n\n@_\*\*Bo\|.*\n```quote\nthe end\n```\n$/,
      );
    await composer.fill('');
    await visitor.leave();
  });

  test('Marks go to each selected line, and an address pasted over words makes a link', async () => {
    await ada.send(channel.name, 'marks', 'see this page');
    const visitor = await open(hashOf('marks'));
    const { page, composer } = visitor;
    await composer.fill('* one\n* two');
    await composer.press('Control+a');
    await composer.press('Control+b');
    expect(await composer.inputValue()).toBe('* **one**\n* **two**');
    await composer.press('Control+b');
    expect(await composer.inputValue()).toBe('* one\n* two');
    await composer.fill('see this page');
    await composer.evaluate((field: HTMLTextAreaElement) => {
      field.setSelectionRange(4, 8);
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'https://example.com/a_(b)');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    expect(await composer.inputValue()).toBe('see [this](https://example.com/a_%28b%29) page');
    await composer.press('Control+z');
    expect(await composer.inputValue()).toBe('see this page');
    await composer.fill('');
    await composer.press('ArrowUp');
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await expect.poll(() => box.inputValue(), STEP).toBe('see this page');
    await box.press('Control+a');
    await box.press('Control+b');
    expect(await box.inputValue()).toBe('**see this page**');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await visitor.leave();
  });

  test.each([
    ['is full', 'setItem', () => Storage.prototype],
    ['is refused', 'open', () => IDBFactory.prototype],
    ['fails while it is written', 'put', () => IDBObjectStore.prototype],
  ])('A browser whose storage %s keeps a draft while the page is open, and sends', async (_, method, of) => {
    const visitor = await Visitor.open(browser!);
    await visitor.context.addInitScript(`(${of})()['${method}'] = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };`);
    await visitor.enter(stage.service, ada.email);
    await visitor.goTo(stage.service, hashOf('room'));
    await visitor.composer.fill('a draft');
    await visitor.goTo(stage.service, '#inbox');
    await visitor.goTo(stage.service, hashOf('room'));
    expect(await visitor.composer.inputValue()).toBe('a draft');
    await visitor.say(`sent although ${method}`);
    await visitor.reads(`sent although ${method}`);
    await visitor.leave();
  });

  test.each([-1, 1])('A device whose clock is %i day off keeps the newer draft', async (days) => {
    const place = { type: 'stream', to: [channel.channelId], topic: `drafts ${days}` };
    const draft = {
      ...place,
      content: 'from the other device',
      timestamp: Math.floor(Date.now() / 1000) - 60,
    };
    await ada.post('/drafts', { drafts: [draft] });
    const visitor = await Visitor.open(browser!);
    const { page } = visitor;
    await page.clock.install({ time: Date.now() + days * 24 * 3_600_000 });
    await visitor.enter(stage.service, ada.email);
    await visitor.goTo(stage.service, hashOf(`drafts.20${days}`));
    await expect.poll(() => visitor.composer.inputValue(), STEP).toBe('from the other device');
    await visitor.composer.fill('written here later');
    const texts = async () => {
      const { body } = await ada.get('/drafts');
      return (body.drafts as { content: string }[]).map(({ content }) => content);
    };
    await expect.poll(texts, STEP).toContain('written here later');
    await page.reload();
    await expect.poll(() => visitor.composer.inputValue(), STEP).toBe('written here later');
    await visitor.composer.fill('');
    await visitor.context.close();
  });
});
