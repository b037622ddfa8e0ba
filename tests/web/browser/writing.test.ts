import { describe, expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, open, openMessage } = await openPair();

describe.runIf(browser)('Writing in a browser', () => {
  test('A draft of one device continues on another, and disappears from both when it is sent', async () => {
    const [{ visitor: laptop }, { visitor: telephone }] = await Promise.all([
      open(hashOf('draft')),
      open(hashOf('draft')),
    ]);
    await laptop.composer.fill('begun here');
    await telephone.expectDraft('begun here');
    await telephone.composer.fill('begun here, ended there');
    await laptop.expectDraft('begun here, ended there');
    await telephone.send();
    await laptop.reads('begun here, ended there');
    await laptop.expectDraft('');
    await eventually(async () => (await ada.get('/drafts')).body.count).toBe(0);
  });

  test('A scheduled message is changed in text, place and time', async () => {
    const atSeconds = Math.floor(Date.now() / 1000) + 86_400;
    await ada.post('/scheduled_messages', {
      ...{ type: 'channel', to: channel.channelId, topic: 'later', content: 'good mornin' },
      scheduled_delivery_timestamp: atSeconds,
    });
    const { visitor, page } = await open('#scheduled');
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await visitor.expectAccessible();
    await page.getByRole('textbox', { name: 'Message' }).fill('good morning');
    await page.getByRole('combobox', { name: 'Topic' }).fill('sooner');
    await page.getByRole('button', { name: 'In 1 hour' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'sooner' }).waitFor();
    const { body } = await ada.get('/scheduled_messages');
    const [scheduled] = body.scheduled_messages;
    expect(scheduled).toMatchObject({ content: 'good morning', topic: 'sooner', to: channel.channelId });
    expect(scheduled.scheduled_delivery_timestamp).toBeLessThan(atSeconds - 3_600);
  });

  test('The message gets all dropped files except the cancelled and too large ones', async () => {
    const { visitor, page } = await open(hashOf('files'));
    // One file does not arrive, however long it takes to cancel it.
    await page.route('**/api/v1/user_uploads', (route) =>
      route.request().postDataBuffer()?.includes('held.txt') ? undefined : route.continue(),
    );
    await page.locator('form.compose').evaluate((form) => {
      const files = ['held.txt', 'notes.txt', 'film.mov'].map((name) => new File(['text'], name));
      Object.defineProperty(files[2], 'size', { value: 2 ** 40 });
      const event = new DragEvent('drop', { bubbles: true, cancelable: true });
      // A file of that size cannot be made here.
      Object.defineProperty(event, 'dataTransfer', { value: { files } });
      form.dispatchEvent(event);
    });
    await page.getByText(/film\.mov is too large\. Files can be up to \d+ MB/).waitFor();
    await page.getByRole('button', { name: 'Cancel upload of held.txt' }).click();
    await visitor.uploads('notes.txt');
    expect(await visitor.composer.inputValue()).toBe('');
    await visitor.send();
    await visitor.reads('notes.txt');
    expect(await page.locator('.message .rendered').allInnerTexts()).toEqual(['notes.txt']);
  });

  test('A message with pending uploads is sent when they are complete, wherever its author is by then', async () => {
    const { visitor, page } = await open(hashOf('waiting'));
    const release = await visitor.holdUploads();
    await visitor.drop([{ name: 'plan.txt' }]);
    await page.getByRole('progressbar', { name: 'plan.txt' }).waitFor();
    await visitor.send();
    await page.getByText('Your message will be sent when the uploads finish').waitFor();
    await visitor.goTo(stage.service, hashOf('elsewhere'));
    release();
    await visitor.goTo(stage.service, hashOf('waiting'));
    await visitor.reads('plan.txt');
    expect(await visitor.composer.inputValue()).toBe('');
  });

  test('A slash offers the commands of bots, and mentions the chosen bot', async () => {
    const { body } = await ada.post('/bots', { full_name: 'Ship', short_name: 'ship' });
    const commands = [{ name: 'deploy', description: 'Deploys a version' }];
    await ada.patch(`/bots/${body.user_id}`, { commands });
    const { visitor, page } = await open(hashOf('commands'));
    const complete = async (text: string): Promise<void> => {
      await visitor.composer.pressSequentially('/dep');
      await page.getByRole('option', { name: /\/deploy/ }).waitFor();
      await visitor.composer.press('Enter');
      await visitor.expectDraft(text);
      await visitor.composer.fill('');
    };
    await complete('@**Ship** /deploy ');
    await visitor.goTo(stage.service, `#narrow/dm/${body.user_id}`);
    await complete('/deploy ');
  });

  test('A poll is created, answered, extended and renamed by its author', async () => {
    const { visitor, page } = await open(hashOf('poll'));
    await visitor.say('/poll Lunch?\nsoup\nrice');
    await page.getByRole('button', { name: /soup/ }).click();
    await page.getByRole('button', { name: /1\s*soup/ }).waitFor();
    await page.getByLabel('Add an option').fill('bread');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: /bread/ }).waitFor();
    await page.getByRole('button', { name: 'Edit Question' }).click();
    await page.getByLabel('Question').fill('Dinner?');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Dinner?').waitFor();
  });

  test('A saved snippet is inserted into a message by keys alone', async () => {
    await ada.post('/saved_snippets', { title: 'Greeting', content: 'Good morning, all!' });
    const { visitor, page } = await open(hashOf('snippets'));
    await visitor.composer.focus();
    await page.keyboard.press("Control+'");
    await page.getByRole('button', { name: /^Greeting/ }).focus();
    await page.keyboard.press('Enter');
    await visitor.expectDraft('Good morning, all!');
  });

  test('A time that starts with <time is chosen by keys, and appears in each reader’s own zone', async () => {
    const { visitor, page } = await open(hashOf('times'), { timezoneId: 'Asia/Kathmandu' });
    await visitor.composer.fill('Dinner at ');
    await visitor.composer.press('End');
    await visitor.composer.pressSequentially('<time');
    const completions = page.getByRole('listbox', { name: 'Suggestions' });
    await completions.getByRole('option', { name: 'Tomorrow morning' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Insert date and time' });
    const at = dialog.getByLabel('Date and time (your time zone)');
    await at.fill('2031-05-06T19:45');
    await visitor.expectPresentable();
    await at.press('Enter');
    const content = 'Dinner at <time:2031-05-06T19:45:00+05:45> ';
    await visitor.expectDraft(content);
    await visitor.composer.press('Control+Z');
    await visitor.expectDraft('Dinner at <time');
    await visitor.composer.press('End');
    await visitor.composer.pressSequentially(':');
    await completions.getByRole('option', { name: 'Tomorrow morning' }).click();
    await visitor.expectDraft(/^Dinner at <time:\d{4}-\d\d-\d\dT09:00:00\+05:45> $/);
    await visitor.say(content);
    const time = page.locator('.message:not(.pending) .rendered time');
    await time.waitFor();
    expect(await time.getAttribute('datetime')).toBe('2031-05-06T14:00:00Z');
    expect(await time.innerText()).toMatch(/7:45|19:45/);
  });

  test('A message is forwarded to another conversation as a quote that is ready to be sent', async () => {
    const { visitor, page } = await openMessage('source', 'the soup is ready');
    await page.keyboard.press('k');
    await page.keyboard.press('<');
    await page.getByRole('dialog', { name: 'Forward message' }).getByRole('combobox').fill('Bo');
    await page.getByRole('option', { name: 'Bo', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Bo' }).waitFor();
    await visitor.expectDraft(/the soup is ready/);
    await visitor.send();
    await visitor.reads('the soup is ready');
    const { body } = await bo.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(body.messages[0]).toMatchObject({ type: 'private', sender_id: ada.userId });
    expect(body.messages[0].content).toContain('<blockquote>');
  });
});
