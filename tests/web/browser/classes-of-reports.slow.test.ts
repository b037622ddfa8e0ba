import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createChannel } from '#tests/harness/scene.ts';
import { eventually, type Visitor } from './browser.ts';
import { copySelection, paste, select } from './clipboard.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, open, openMessage, upload } = await openPair();

const inSight = (visitor: Visitor, text: string) =>
  visitor.page.locator('.message:not(.pending)', { hasText: text }).evaluate((row) => {
    const { bottom } = row.getBoundingClientRect();
    return bottom <= document.querySelector('.feed')!.getBoundingClientRect().bottom + 1;
  });

describe.runIf(browser)('In a browser', () => {
  test('Completion links topics and channels whose names contain Markdown, and completes nothing in code', async () => {
    const { channelId } = await createChannel(stage.service, [ada, bo]);
    await stage.service.owner.patch(`/streams/${channelId}`, { new_name: 'r*d > x' });
    await bo.send(channel.name, '**bold** plan', 'one');
    await bo.send(channel.name, '5 * 3 * 2', 'two');
    const { visitor, page, composer } = await open(hashOf('links'));
    await visitor.say('first');
    await visitor.reads('first');
    for (const [begun, name] of [
      [`#**${channel.name}>bold`, '**bold** plan'],
      [`#**${channel.name}>5 `, '5 * 3 * 2'],
      ['#**r', 'r*d > x'],
    ] as const) {
      await composer.fill('');
      await composer.pressSequentially(begun);
      await page.getByRole('option', { name }).click();
      await page.keyboard.press('Control+Enter');
      const link = page.locator('.message:not(.pending) .rendered a', { hasText: name });
      await link.waitFor();
      expect(await link.textContent()).toContain(name);
    }
    await composer.fill('');
    await composer.pressSequentially('`@Ad');
    await page.waitForTimeout(300);
    expect(await page.getByRole('listbox', { name: 'Suggestions' }).count()).toBe(0);
  });

  test('An edit survives Escape, a reload, and the deletion of its message', async () => {
    const { visitor, page, id } = await openMessage('edits', 'as it was', {}, ada);
    const box = await visitor.startEdit('as it was');
    await box.fill('as it shall be');
    await page.keyboard.press('Escape');
    await page.getByText('Unfinished edit').waitFor();
    await visitor.expectAccessible();
    await page.reload();
    await page.getByRole('button', { name: 'Continue' }).click();
    await eventually(() => box.inputValue()).toBe('as it shall be');
    await stage.service.owner.delete(`/messages/${id}`);
    await visitor.expectDraft('as it shall be');
  });

  test('An edit that is saved late keeps text written meanwhile, and closes no other edit', async () => {
    const { visitor, page } = await openMessage('late edits', 'first', {}, ada);
    const saving = Promise.withResolvers<Route>();
    await page.route('**/api/v1/messages/*', (route) =>
      route.request().method() === 'PATCH' ? saving.resolve(route) : route.continue(),
    );
    const box = await visitor.startEdit('first');
    await box.fill('first, better');
    await page.keyboard.press('Control+Enter');
    const route = await saving.promise;
    await box.fill('first, better and longer');
    await page.keyboard.press('Escape');
    await visitor.say('second');
    await visitor.reads('second');
    await visitor.startEdit('second');
    await box.fill('second, better');
    await route.continue();
    await visitor.reads('first, better');
    await page.getByText('Unfinished edit').waitFor();
    expect(await box.inputValue()).toBe('second, better');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Continue' }).first().click();
    await eventually(() => box.inputValue()).toBe('first, better and longer');
  });

  test('Keys of an input method trigger no shortcut, and shortcuts work on a Cyrillic keyboard', async () => {
    const { visitor, page } = await open(hashOf('typing'));
    await visitor.composer.waitFor();
    await page.evaluate(() => {
      const init = { key: 'л', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent('keydown', init));
    });
    const dialog = page.getByRole('dialog', { name: 'Jump to' });
    const field = dialog.getByRole('combobox');
    await field.fill('inb');
    await dialog.getByRole('option', { name: 'Inbox' }).waitFor();
    await field.evaluate((input) => {
      for (const extra of [{ isComposing: true }, { keyCode: 229 }])
        for (const key of ['Enter', 'ArrowDown', 'Escape'])
          input.dispatchEvent(
            new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...extra }),
          );
    });
    expect(await dialog.isVisible()).toBe(true);
    expect(page.url()).toContain('typing');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  });

  test('Each paragraph and field has the direction of its own text', async () => {
    await bo.send(channel.name, 'both ways', 'שלום לכולם\n\nand in English');
    const { visitor, page } = await open(hashOf('both.20ways'));
    await visitor.reads('and in English');
    const directions = await page
      .locator('.message .rendered p')
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
    expect(directions).toEqual(['rtl', 'ltr']);
    await visitor.composer.fill('مرحبا');
    expect(await visitor.composer.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  });

  test('Videos and sounds linked in a message have players', async () => {
    const bytes = new Uint8Array(2_000);
    const [film, sound] = [
      await upload(new File([bytes], 'walk.mp4', { type: 'video/mp4' })),
      await upload(new File([bytes], 'song.mp3', { type: 'audio/mpeg' })),
    ];
    await bo.send(channel.name, 'media', `look: [walk.mp4](${film})\n\n![song.mp3](${sound})`);
    const { visitor, page } = await open(hashOf('media'));
    await visitor.reads('look:');
    const message = page.locator('.message', { hasText: 'look:' });
    await message.locator('video[controls]').waitFor();
    await message.locator('audio[controls]').waitFor();
    await visitor.context.close();
  });

  test('Bold toggles on the selected words, a quote has the selection, and a copy is readable', async () => {
    await bo.send(channel.name, 'select', 'the first part\n\n* one\n* two');
    await bo.send(channel.name, 'select', 'and a `second` message');
    const { visitor, page, composer } = await open(hashOf('select'));
    await visitor.reads('and a second message');
    await composer.fill('make bold now');
    await composer.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(5, 10));
    await page.keyboard.press('Control+b');
    expect(await composer.inputValue()).toBe('make **bold** now');
    await page.keyboard.press('Control+b');
    expect(await composer.inputValue()).toBe('make bold now');
    await composer.fill('');
    await select(page, 'first', 'first');
    await visitor.quote('the first part');
    await visitor.expectDraft(/```quote\nfirst\n```/);
    await composer.fill('');
    await select(page, 'first', 'second');
    expect(await copySelection(page)).toBe('Bo:\nfirst part\n\n* one\n* two\n\nand a second');
  });

  test('The newest message stays in view when a draft grows and when the window shrinks', async () => {
    for (let index = 0; index < 30; index += 1) await bo.send(channel.name, 'long', `line ${index}.`);
    await bo.post('/mark_all_as_read', {});
    await ada.post('/mark_all_as_read', {});
    const { visitor, page } = await open(hashOf('long'));
    await visitor.reads('line 29.');
    await eventually(() => inSight(visitor, 'line 29.')).toBe(true);
    await visitor.composer.fill(Array.from({ length: 12 }, (_, index) => `draft ${index}`).join('\n'));
    await eventually(() => inSight(visitor, 'line 29.')).toBe(true);
    await page.setViewportSize({ width: 1280, height: 560 });
    await eventually(() => inSight(visitor, 'line 29.')).toBe(true);
  });

  test('A file dropped anywhere goes into the message, and the page stays', async () => {
    const { visitor, page } = await open(hashOf('drops'));
    await visitor.composer.waitFor();
    const isKept = await page.locator('.rail').evaluate((rail) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['text'], 'dropped.txt', { type: 'text/plain' }));
      const init = { bubbles: true, cancelable: true, dataTransfer };
      const events = ['dragover', 'drop'].map((type) => new DragEvent(type, init));
      for (const event of events) rail.dispatchEvent(event);
      return events.every(({ defaultPrevented }) => defaultPrevented);
    });
    expect(isKept).toBe(true);
    await visitor.uploads('dropped.txt');
    await page.getByRole('button', { name: 'Remove dropped.txt' }).click();
    await paste(visitor.composer, {
      'text/html': '<p>See <b>this</b> <a href="https://example.com">page</a></p><ul><li>a</li></ul>',
      'text/plain': 'See this page a',
    });
    await visitor.expectDraft('See **this** [page](https://example.com)\n\n* a');
  });

  test('Times follow the clock of the service if that of the device is wrong', async () => {
    await bo.send(channel.name, 'clocks', 'sent today');
    const time = Date.now() - 3 * 24 * 3_600_000;
    const { visitor, page } = await open(hashOf('clocks'), {}, (visit) => visit.page.clock.install({ time }));
    visitor.expectComplaints();
    await visitor.reads('sent today');
    await page.locator('.day', { hasText: 'Today' }).waitFor();
  });

  test('Print shows the whole conversation and nothing else, also from below a dialog, and Shift-click is left to the browser', async () => {
    for (let index = 0; index < 40; index += 1) await bo.send(channel.name, 'paper', `sheet ${index}.`);
    await ada.post('/mark_all_as_read', {});
    const { visitor, page } = await open(hashOf('paper'));
    await visitor.reads('sheet 39.');
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Jump to' });
    await dialog.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await dialog.isVisible()).toBe(false);
    await eventually(() => page.locator('.print-copy').getByText('sheet 0.').isVisible()).toBe(true);
    expect(await page.locator('.rail').isVisible()).toBe(false);
    expect(await page.locator('.compose').isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    await bo.send(channel.name, 'paper', `see #**${channel.name}>links**`);
    const link = page.locator('.message:not(.pending) .rendered a', { hasText: 'links' }).first();
    await link.waitFor();
    const isLeft = await link.evaluate((element) => {
      let wasTaken = true;
      // The page's own listeners have had the click when it reaches the window.
      window.addEventListener('click', (click) => {
        wasTaken = click.defaultPrevented;
        click.preventDefault();
      });
      element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }));
      return !wasTaken;
    });
    expect(isLeft).toBe(true);
    await page.setViewportSize({ width: 320, height: 640 });
    await visitor.expectFitting();
  });
});
