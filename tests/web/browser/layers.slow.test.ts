import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { Finger, TELEPHONE } from './finger.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, open } = await openPair();
await bo.send(channel.name, 'layers', 'below the layers');

/** Opens the dialog of a poll from the message box. */
async function openPoll(page: Page, question: string): Promise<void> {
  await page.getByRole('button', { name: 'Formatting' }).click();
  await page.getByRole('button', { name: 'New poll' }).click();
  await page.getByLabel('Question').fill(question);
}

const poll = (page: Page) => page.getByRole('dialog', { name: 'New poll' });
const isGone = { state: 'hidden' } as const;

type Answer = Parameters<Route['fulfill']>[0];

/** Sends the form that renames the topic, leaves it before the answer, and opens the dialog of the status. */
async function renameAndLeave() {
  const { page } = await open(hashOf('layers'));
  const call = Promise.withResolvers<Route>();
  await page.route('**/api/v1/messages/*', (route) =>
    route.request().method() === 'PATCH' ? call.resolve(route) : route.continue(),
  );
  await page.getByRole('button', { name: 'Topic menu' }).first().click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Topic').fill('layers again');
  await page.keyboard.press('Enter');
  const route = await call.promise;
  await page.keyboard.press('Escape');
  await page.locator('.org').click();
  await page.getByRole('menuitem', { name: 'Set your status' }).click();
  const status = page.getByRole('dialog', { name: 'Set your status' });
  await status.waitFor();
  const answer = (reply: Answer = { json: { result: 'success', msg: '' } }): Promise<void> =>
    route.fulfill(reply);
  return { page, status, answer };
}

describe.runIf(browser)('A dialog', () => {
  test('Stays open at a click outside if its text was changed; Escape offers to reopen it with its text', async () => {
    const { visitor, page } = await open(hashOf('layers'));
    await openPoll(page, '');
    await page.mouse.click(20, 20);
    await poll(page).waitFor(isGone);
    await page.getByRole('button', { name: 'New poll' }).click();
    await page.getByLabel('Question').fill('Where do we eat?');
    await page.getByLabel('Options').fill('Noodles');
    await page.mouse.click(20, 20);
    // A selection that ends outside is no click there either.
    const { x, y } = (await page.getByLabel('Question').boundingBox())!;
    await page.mouse.move(x + 60, y + 10);
    await page.mouse.down();
    await page.mouse.move(20, y + 10, { steps: 5 });
    await page.mouse.up();
    expect(await poll(page).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await poll(page).waitFor(isGone);
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Reopen' }).click();
    expect(await page.getByLabel('Question').inputValue()).toBe('Where do we eat?');
    expect(await page.getByLabel('Options').inputValue()).toBe('Noodles');
    expect(await page.getByRole('button', { name: 'Reopen' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await poll(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Formatting' }).click();
  });

  test('Its offer to reopen ends after fifteen seconds, and its text with it', async () => {
    const { visitor, page } = await open(hashOf('layers'));
    await page.clock.install();
    await page.reload();
    await visitor.composer.waitFor();
    await openPoll(page, 'Anyone?');
    await page.keyboard.press('Escape');
    await page.clock.fastForward(14_000);
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    await page.clock.fastForward(2_000);
    await page.getByRole('button', { name: 'Reopen' }).waitFor({ state: 'detached' });
    await page.locator('dialog').waitFor({ state: 'detached' });
  });

  test('Makes the browser warn before its changed text is lost by loading the page again', async () => {
    const { page } = await open(hashOf('layers'));
    const warnings: string[] = [];
    page.on('dialog', (warning) => {
      warnings.push(warning.type());
      void warning.dismiss();
    });
    await openPoll(page, '');
    await page.getByLabel('Question').pressSequentially('Lost?');
    await page.evaluate(() => location.reload());
    await eventually(() => warnings).toEqual(['beforeunload']);
    expect(await page.getByLabel('Question').inputValue()).toBe('Lost?');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Formatting' }).click();
  });

  test('A form that was sent closes its own dialog only, also if another one was opened meanwhile', async () => {
    const { page, status, answer } = await renameAndLeave();
    expect(await page.getByRole('button', { name: 'Reopen' }).count()).toBe(0);
    await status.getByPlaceholder('What’s your status?').fill('At the harbour');
    await answer();
    await page.locator('dialog').nth(1).waitFor({ state: 'detached' });
    expect(await status.getByPlaceholder('What’s your status?').inputValue()).toBe('At the harbour');
    await page.keyboard.press('Escape');
    await page.getByText('“Set your status” closed.').waitFor();
    await page.context().close();
  });

  test('Says why its form could not be sent if it was left meanwhile, and can be reopened', async () => {
    const { page, status, answer } = await renameAndLeave();
    await page.keyboard.press('Escape');
    await status.waitFor(isGone);
    await answer({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today.' } });
    await page.getByText('“Rename topic”: Not today.').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    expect(await page.getByRole('dialog').getByLabel('Topic').inputValue()).toBe('layers again');
    await page.getByRole('dialog').getByText('Not today.').waitFor();
    await page.context().close();
  });

  test('Keeps its text for a while if another dialog takes its place', async () => {
    const { page } = await open(hashOf('layers'));
    await openPoll(page, 'First?');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New to-do list' }).click();
    await page.getByRole('dialog', { name: 'New to-do list' }).getByLabel('Title').fill('Second');
    // A notice is beyond the reach of a pointer while a dialog is open, but its button can still be pressed.
    await page.getByRole('button', { name: 'Reopen', includeHidden: true }).dispatchEvent('click');
    expect(await poll(page).getByLabel('Question').inputValue()).toBe('First?');
    await poll(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Reopen' }).click();
    expect(await page.getByRole('dialog', { name: 'New to-do list' }).getByLabel('Title').inputValue()).toBe(
      'Second',
    );
    await page.context().close();
  });

  test('A poll that is too long is refused in its dialog', async () => {
    const { page } = await open(hashOf('polls'));
    await openPoll(page, 'Which?');
    await page.getByLabel('Options').fill('x'.repeat(10_000));
    await page.getByRole('button', { name: 'Create poll' }).click();
    await poll(page)
      .getByRole('alert')
      .filter({ hasText: 'Shorten your message by 13 characters' })
      .waitFor();
    await page.getByLabel('Options').fill('This\nThat');
    await page.getByRole('button', { name: 'Create poll' }).click();
    await page.locator('.message', { hasText: 'Which?' }).getByText('That').waitFor();
  });

  test('A picker that opens from a dialog is within reach, and Escape closes the picker alone', async () => {
    const { page } = await open(hashOf('layers'));
    const status = page.getByRole('dialog', { name: 'Set your status' });
    const openPicker = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Choose an emoji' }).click();
      await page.getByRole('button', { name: 'grinning', exact: true }).waitFor();
    };
    await page.locator('.org').click();
    await page.getByRole('menuitem', { name: 'Set your status' }).click();
    await openPicker();
    await page.keyboard.press('Escape');
    await page.locator('.layer').waitFor({ state: 'detached' });
    await openPicker();
    await page.getByRole('button', { name: 'grinning', exact: true }).click();
    await status.getByRole('button', { name: /grinning/ }).waitFor();
  });
});

test.runIf(browser)(
  'A form that was sent is emptied, but for a text that was changed meanwhile',
  async () => {
    const { page } = await open('#settings/alert-words');
    const word = page.getByLabel('Word or phrase');
    const adding = Promise.withResolvers<Route>();
    await page.route('**/users/me/alert_words', (route) => adding.resolve(route), { times: 1 });
    await word.fill('kiln');
    await page.keyboard.press('Enter');
    const route = await adding.promise;
    await word.fill('glaze');
    await route.continue();
    await page.getByText('kiln', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).and(page.locator(':enabled')).waitFor();
    expect(await word.inputValue()).toBe('glaze');
    await page.keyboard.press('Enter');
    await page.getByText('glaze', { exact: true }).waitFor();
    await eventually(() => word.inputValue()).toBe('');
  },
);

test.runIf(browser)(
  'A setting that another person changes keeps the text that is being written into it',
  async () => {
    const { page } = await open(`#channels/${channel.channelId}`);
    const description = page.getByLabel('Description');
    const describeAs = (text: string) => ada.patch(`/streams/${channel.channelId}`, { description: text });
    await describeAs('from elsewhere');
    await eventually(() => description.inputValue()).toBe('from elsewhere');
    await description.fill('half a sen');
    await describeAs('from elsewhere again');
    await page.getByText('from elsewhere again').first().waitFor({ state: 'attached' });
    await page.keyboard.type('tence');
    expect(await description.inputValue()).toBe('half a sentence');
    await page.keyboard.press('Tab');
    await eventually(
      async () => (await ada.get(`/streams/${channel.channelId}`)).body.stream.description,
    ).toBe('half a sentence');
  },
);

describe.runIf(browser)('Back', () => {
  test.each([
    ['with the Navigation API', true],
    ['without the Navigation API', false],
  ])('Closes only the uppermost layer and stays on the page, %s', async (_, hasApi) => {
    const { visitor, page } = await open('#inbox');
    if (!hasApi)
      await visitor.context.addInitScript(() => delete (window as { navigation?: object }).navigation);
    await page.reload();
    await visitor.goTo(stage.service, '#recent');
    await visitor.goTo(stage.service, hashOf('layers'));
    const here = page.url();
    const back = () => page.evaluate(() => history.back());
    await page.getByRole('button', { name: 'Topic menu' }).first().click();
    await page.getByRole('menu').waitFor();
    await back();
    await page.getByRole('menu').waitFor(isGone);
    expect(page.url()).toBe(here);
    await visitor.composer.fill('kept');
    await openPoll(page, 'Lunch?');
    await back();
    await poll(page).waitFor(isGone);
    await page.getByRole('button', { name: 'Reopen' }).click();
    expect(await page.getByLabel('Question').inputValue()).toBe('Lunch?');
    await back();
    await poll(page).waitFor(isGone);
    expect(page.url()).toBe(here);
    expect(await visitor.composer.inputValue()).toBe('kept');
    await visitor.composer.fill('');
    await page.getByRole('button', { name: 'Formatting' }).click();
    await back();
    await page.waitForURL(/#recent$/);
    await page.getByRole('heading', { name: 'Recent conversations' }).waitFor();
    // A link in a layer leads on.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('words');
    await page.getByRole('link', { name: 'words' }).click();
    await page.waitForURL(/search/);
  });
});

describe.runIf(browser)('On a telephone', () => {
  test('Dialogs and menus come from below, and close when they are pulled down', async () => {
    const { visitor, page } = await open(hashOf('layers'), TELEPHONE);
    const finger = await Finger.of(visitor);
    const { width, height } = TELEPHONE.viewport;
    const edges = async (selector: string): Promise<number[]> => {
      const { x, y, width: across, height: down } = (await page.locator(selector).boundingBox())!;
      return [x, across, Math.round(y + down)];
    };
    await page.getByRole('button', { name: 'Add to message' }).click();
    await eventually(() => edges('.layer')).toEqual([0, width, height]);
    await visitor.expectAccessible();
    await page.getByRole('menuitem', { name: 'New poll' }).click();
    await eventually(() => edges('dialog')).toEqual([0, width, height]);
    await visitor.expectPresentable();
    const pull = async (selector: string, downwards: number): Promise<void> => {
      const { y } = (await page.locator(selector).boundingBox())!;
      await finger.swipe(width / 2, y + 10, 0, downwards);
    };
    await page.getByLabel('Question').fill('Pulled?');
    await pull('dialog', 20);
    expect(await poll(page).isVisible()).toBe(true);
    await pull('dialog', 300);
    await poll(page).waitFor(isGone);
    await page.getByRole('button', { name: 'Reopen' }).click();
    expect(await page.getByLabel('Question').inputValue()).toBe('Pulled?');
    await eventually(() => edges('dialog')).toEqual([0, width, height]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Topic menu' }).first().click();
    await page.getByRole('menu').waitFor();
    await pull('.layer', 300);
    await page.getByRole('menu').waitFor(isGone);
  });

  test('The message box is one line until it has the focus or a text, and has its tools below it then', async () => {
    const { visitor, page, composer } = await open(hashOf('layers'), TELEPHONE);
    await visitor.reads('below the layers');
    const heightOf = async (): Promise<number> => (await page.locator('form.compose').boundingBox())!.height;
    const send = page.getByRole('button', { name: 'Send', exact: true });
    const atRest = await heightOf();
    expect(atRest).toBeLessThan(50);
    expect(await send.isVisible()).toBe(false);
    await visitor.expectAccessible();
    await composer.tap();
    await send.waitFor();
    expect(await heightOf()).toBeGreaterThan(atRest);
    // A tool leaves the focus, and the keyboard of the screen, with the text.
    await page.getByRole('button', { name: 'Formatting' }).tap();
    await page.getByRole('button', { name: 'Bold' }).waitFor();
    expect(await composer.evaluate((field) => field === document.activeElement)).toBe(true);
    await visitor.expectFitting();
    await page.getByRole('button', { name: 'Formatting' }).tap();
    await composer.fill('a text');
    await composer.blur();
    expect(await send.isVisible()).toBe(true);
    await composer.fill('');
    await composer.blur();
    await eventually(heightOf).toBe(atRest);
  });

  test('The message box and sheets stay above a keyboard that is laid over the page, as in Safari', async () => {
    const { visitor, page, composer } = await open(hashOf('layers'), TELEPHONE);
    // Such a keyboard changes the visual viewport alone.
    await visitor.context.addInitScript(() => {
      const view = Object.assign(new EventTarget(), { height: innerHeight, scale: 1, offsetTop: 0 });
      Object.defineProperty(window, 'visualViewport', { value: view });
    });
    await page.reload();
    await visitor.reads('below the layers');
    await page.waitForTimeout(1_500);
    const KEYBOARD_PX = 300;
    const free = TELEPHONE.viewport.height - KEYBOARD_PX;
    const cover = (px: number) =>
      page.evaluate((covered) => {
        Object.assign(window.visualViewport!, { height: innerHeight - covered });
        window.visualViewport!.dispatchEvent(new Event('resize'));
      }, px);
    const bottomOf = (selector: string) => async (): Promise<number> => {
      const { y, height } = (await page.locator(selector).boundingBox())!;
      return Math.round(y + height);
    };
    await composer.tap();
    await cover(KEYBOARD_PX);
    await eventually(bottomOf('.dock')).toBe(free);
    await eventually(bottomOf('.message')).toBeLessThan(free);
    await page.getByRole('button', { name: 'Add to message' }).tap();
    await page.getByRole('menuitem', { name: 'New poll' }).tap();
    await eventually(bottomOf('dialog')).toBe(free);
    await page.keyboard.press('Escape');
    await cover(0);
    await eventually(bottomOf('.dock')).toBe(TELEPHONE.viewport.height);
  });
});

describe.runIf(browser)('Text that was entered into a page', () => {
  test('The name of a new topic survives a reload', async () => {
    const { visitor, page, composer } = await open(`#narrow/channel/${channel.channelId}-room`);
    await page.getByRole('button', { name: /New topic/ }).click();
    const topic = page.getByRole('combobox', { name: 'Topic' });
    await topic.fill('Plan for spring');
    await page.reload();
    await eventually(() => topic.inputValue()).toBe('Plan for spring');
    await composer.fill('Hello');
    await page.reload();
    await eventually(() => topic.inputValue()).toBe('Plan for spring');
    await visitor.send();
    await visitor.reads('Hello');
    await visitor.goTo(stage.service, `#narrow/channel/${channel.channelId}-room`);
    await page.getByRole('heading', { level: 1, name: channel.name, exact: true }).waitFor();
    await page.getByRole('button', { name: /New topic/ }).click();
    expect(await topic.inputValue()).toBe('');
  });

  test.each([
    ['channel', '#channels/new', 'Create channel'],
    ['group', '#groups/new', 'Create group'],
  ])('A new %s keeps its name and people until it is created', async (name, hash, create) => {
    const { visitor, page } = await open(hash);
    const title = page.getByLabel('Name', { exact: true });
    await title.fill(`The ${name}`);
    await page.getByLabel('Bo', { exact: true }).check();
    await visitor.goTo(stage.service, '#inbox');
    await visitor.goTo(stage.service, hash);
    expect(await title.inputValue()).toBe(`The ${name}`);
    await page.reload();
    await eventually(() => title.inputValue()).toBe(`The ${name}`);
    expect(await page.getByLabel('Bo', { exact: true }).isChecked()).toBe(true);
    await page.getByRole('button', { name: create }).click();
    await page.waitForURL((url) => url.hash !== hash);
    await visitor.goTo(stage.service, hash);
    expect(await title.inputValue()).toBe('');
  });
});
