import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { makePicture } from '#tests/harness/pictures.ts';
import { STEP, type Visitor } from './browser.ts';
import { launchBrowser } from './launch.ts';
import { openPair } from './pair.ts';

const browser = await launchBrowser();
const { stage, ada, bo, channel, hashOf, open } = await openPair(browser);

const picture = Buffer.from(await makePicture({ width: 120, height: 90 }));

/** Chooses files by the button of the composer. */
async function attach({ page }: Visitor, ...names: string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles(
    names.map((name) =>
      name.endsWith('.png')
        ? { name, mimeType: 'image/png', buffer: picture }
        : { name, mimeType: 'text/plain', buffer: Buffer.from('text') },
    ),
  );
}

/** Lets uploads wait until the returned function is called. */
async function holdUploads({ page }: Visitor): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/user_uploads', async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** Pastes a picture into a field. */
const pastePicture = (field: Locator, name: string): Promise<void> =>
  field.evaluate(
    (element, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([new Uint8Array(pasted.bytes)], pasted.name, { type: 'image/png' }));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { name, bytes: [...picture] },
  );

const send = ({ page }: Visitor): Promise<void> =>
  page.getByRole('button', { name: 'Send', exact: true }).click();

/** The source of the newest message of a topic; undefined if there is none. */
async function sourceIn(topic: string): Promise<string | undefined> {
  const narrow = [
    { operator: 'channel', operand: channel.channelId },
    { operator: 'topic', operand: topic },
  ];
  const asked = { narrow, anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
  return (await ada.get('/messages', asked)).body.messages.at(-1)?.content;
}

describe.runIf(browser)('Files of a message in a browser', () => {
  test('A card shows thumbnail, size and progress, and the text stays free of links until the message is sent', async () => {
    const visitor = await open(hashOf('cards'));
    const { page } = visitor;
    await visitor.composer.fill('Photos from the kiln.');
    const release = await holdUploads(visitor);
    await attach(visitor, 'kiln-firing-of-june.png', 'glaze.txt');
    const bar = page.getByRole('progressbar', { name: 'Uploading kiln-firing-of-june.png' });
    await bar.waitFor();
    const thumbnail = visitor.attachment('kiln-firing-of-june.png').locator('img');
    const width = () => thumbnail.evaluate((element) => (element as HTMLImageElement).naturalWidth);
    await expect.poll(width, STEP).toBe(120);
    await visitor.attachment('glaze.txt').getByText('4 byte').waitFor();
    await visitor.expectAccessible();
    await visitor.expectFitting();
    release();
    await visitor.uploads('kiln-firing-of-june.png', 'glaze.txt');
    const topOf = async (place: string) => (await visitor.page.locator(place).boundingBox())!.y;
    expect(await topOf('.tray')).toBeLessThan(await topOf('#compose-text'));
    expect(await bar.count()).toBe(0);
    expect(await visitor.composer.inputValue()).toBe('Photos from the kiln.');
    await page.emulateMedia({ colorScheme: 'dark' });
    await visitor.expectAccessible();
    await send(visitor);
    await visitor.reads('Photos from the kiln.');
    await page.getByRole('list', { name: 'Attachments' }).waitFor({ state: 'detached' });
    expect(await sourceIn('cards')).toMatch(
      /^Photos from the kiln\.\n\n!\[kiln-firing-of-june\.png\]\(\/user_uploads\/\S+\)\n\[glaze\.txt\]\(\/user_uploads\/\S+\)$/,
    );
    await visitor.leave();
  });

  test('A file is removed by keys, and Undo returns it to its place', async () => {
    const visitor = await open(hashOf('removed'));
    const { page } = visitor;
    await attach(visitor, 'one.txt', 'two.txt', 'three.txt');
    await visitor.uploads('one.txt', 'two.txt', 'three.txt');
    await page.getByRole('button', { name: 'Remove two.txt' }).focus();
    await page.keyboard.press('Enter');
    await visitor.attachment('two.txt').waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), STEP)
      .toBe('Remove three.txt');
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await visitor.uploads('two.txt');
    await page.getByRole('button', { name: 'Remove one.txt' }).click();
    await visitor.composer.fill('two files');
    await send(visitor);
    await visitor.reads('two files');
    expect(await sourceIn('removed')).toMatch(/^two files\n\n\[two\.txt\]\(\S+\)\n\[three\.txt\]\(\S+\)$/);
    await visitor.leave();
  });

  test('A refused file shows its reason, can be retried, and does not delay the others', async () => {
    const visitor = await open(hashOf('refused'));
    const { page } = visitor;
    const msg = 'Upload would exceed your organization’s upload quota.';
    await page.route('**/api/v1/user_uploads', (route) =>
      route.request().postDataBuffer()?.includes('full.txt')
        ? route.fulfill({ status: 400, json: { result: 'error', code: 'REALM_UPLOAD_QUOTA', msg } })
        : route.continue(),
    );
    await attach(visitor, 'full.txt', 'fits.txt');
    await page.getByRole('alert').getByText(`Couldn’t upload full.txt: ${msg}`).waitFor();
    await visitor.uploads('fits.txt');
    await visitor.expectAccessible();
    await send(visitor);
    await visitor.reads('fits.txt');
    expect(await sourceIn('refused')).toMatch(/^\[fits\.txt\]\(\S+\)$/);
    // The refused file was not sent and stays in the tray.
    await page.unroute('**/api/v1/user_uploads');
    await page.getByRole('button', { name: 'Try again' }).click();
    await visitor.uploads('full.txt');
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove full.txt' }).click();
    // The refusal of the service is an error in the browser's console.
    await visitor.context.close();
  });

  test('Files alone are a message', async () => {
    const visitor = await open(hashOf('alone'));
    const button = visitor.page.getByRole('button', { name: 'Send', exact: true });
    expect(await button.isDisabled()).toBe(true);
    await attach(visitor, 'alone.txt');
    await visitor.uploads('alone.txt');
    await visitor.composer.focus();
    await visitor.page.keyboard.press('Control+Enter');
    await visitor.reads('alone.txt');
    expect(await sourceIn('alone')).toMatch(/^\[alone\.txt\]\(\S+\)$/);
    await visitor.leave();
  });

  test('Files of a draft survive a reload and another conversation, and other clients see their links', async () => {
    const visitor = await open(hashOf('drafted'));
    const { page } = visitor;
    await visitor.composer.fill('With a plan');
    await attach(visitor, 'plan.png');
    await visitor.uploads('plan.png');
    const draft = async () => (await ada.get('/drafts')).body.drafts[0]?.content;
    await expect.poll(draft, STEP).toMatch(/^With a plan\n\n!\[plan\.png\]\(\/user_uploads\/\S+\)$/);
    await page.reload();
    await visitor.uploads('plan.png');
    expect(await visitor.composer.inputValue()).toBe('With a plan');
    await page.locator('.attachment img').waitFor();
    await visitor.goTo(stage.service, '#drafts');
    await page.getByText('![plan.png]').waitFor();
    await visitor.goTo(stage.service, hashOf('drafted'));
    await visitor.uploads('plan.png');
    await visitor.composer.fill('With the plan');
    await expect.poll(draft, STEP).toMatch(/^With the plan\n\n!\[plan\.png\]\(\S+\)$/);
    await page.getByRole('button', { name: 'Remove plan.png' }).click();
    await expect.poll(draft, STEP).toBe('With the plan');
    await visitor.composer.fill('');
    await expect.poll(async () => (await ada.get('/drafts')).body.count, STEP).toBe(0);
    await visitor.leave();
  });

  test('A scheduled message has the files of its draft, and a preview shows them', async () => {
    const visitor = await open(hashOf('scheduled'));
    const { page } = visitor;
    await visitor.composer.fill('for tomorrow');
    await attach(visitor, 'tomorrow.txt');
    await visitor.uploads('tomorrow.txt');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.preview').getByRole('link', { name: 'tomorrow.txt' }).waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Schedule message' }).click();
    await page.getByRole('button', { name: 'In 1 hour' }).click();
    await page.getByRole('list', { name: 'Attachments' }).waitFor({ state: 'detached' });
    const [scheduled] = (await ada.get('/scheduled_messages')).body.scheduled_messages;
    expect(scheduled.content).toMatch(/^for tomorrow\n\n\[tomorrow\.txt\]\(\/user_uploads\/\S+\)$/);
    await visitor.leave();
  });

  test('A quote joins the text of a draft before its files', async () => {
    await bo.send(channel.name, 'quoted', 'quote me');
    const visitor = await open(hashOf('quoted'));
    const { page } = visitor;
    await visitor.reads('quote me');
    await attach(visitor, 'quoted.txt');
    await visitor.uploads('quoted.txt');
    await page.locator('.message', { hasText: 'quote me' }).hover();
    await page.getByRole('button', { name: 'Quote and reply' }).first().click();
    await expect.poll(() => visitor.composer.inputValue(), STEP).toMatch(/```quote\nquote me\n```\n?$/);
    await send(visitor);
    await page.locator('.message blockquote').waitFor();
    expect(await sourceIn('quoted')).toMatch(/```quote\nquote me\n```\n\n\[quoted\.txt\]\(\S+\)$/);
    await visitor.leave();
  });

  test('Two tabs share the files of a draft', async () => {
    const visitor = await open(hashOf('tabs'));
    const other = await visitor.context.newPage();
    await other.goto(`${stage.service.url}/${hashOf('tabs')}`);
    await other.locator('#compose-text').waitFor();
    await attach(visitor, 'shared.txt');
    await visitor.uploads('shared.txt');
    const there = other.locator('.attachment.done [title="shared.txt"]');
    await there.waitFor();
    await other.locator('#compose-text').fill('from the other tab');
    await expect.poll(() => visitor.composer.inputValue(), STEP).toBe('from the other tab');
    expect(await visitor.attachment('shared.txt').count()).toBe(1);
    await send(visitor);
    await visitor.reads('from the other tab');
    await there.waitFor({ state: 'detached' });
    expect(await sourceIn('tabs')).toMatch(/^from the other tab\n\n\[shared\.txt\]\(\S+\)$/);
    await visitor.leave();
  });

  test('A message that waits for its uploads is marked and read-only until its author continues editing', async () => {
    const visitor = await open(hashOf('held'));
    const { page } = visitor;
    const release = await holdUploads(visitor);
    await visitor.composer.fill('wait for it');
    await attach(visitor, 'held.txt');
    await page.getByRole('progressbar').waitFor();
    await send(visitor);
    await page.getByRole('button', { name: 'Sends when uploads finish' }).waitFor();
    expect(await visitor.composer.isEditable()).toBe(false);
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await visitor.composer.fill('wait for me');
    release();
    await visitor.uploads('held.txt');
    expect(await sourceIn('held')).toBeUndefined();
    await send(visitor);
    await visitor.reads('wait for me');
    await visitor.leave();
  });

  test('A new topic opens while its uploads run, and gets the message when they finish', async () => {
    const visitor = await open(`#narrow/channel/${channel.channelId}-room`);
    const { page } = visitor;
    const release = await holdUploads(visitor);
    await page.locator('button#compose-text').click();
    await page.locator('.topic-field').fill('begun with a file');
    await visitor.composer.fill('first words');
    await attach(visitor, 'first.txt');
    await page.getByRole('progressbar').waitFor();
    await send(visitor);
    await page.getByRole('heading', { level: 1, name: 'begun with a file' }).waitFor();
    await page.getByText('Your message will be sent when the uploads finish').waitFor();
    release();
    await visitor.reads('first words');
    expect(await sourceIn('begun with a file')).toMatch(/^first words\n\n\[first\.txt\]\(\S+\)$/);
    await visitor.leave();
  });

  test('Uploads follow their topic when another person renames it', async () => {
    const id = await bo.send(channel.name, 'old name', 'rename me');
    const visitor = await open(hashOf('old.20name'));
    const { page } = visitor;
    await visitor.reads('rename me');
    const release = await holdUploads(visitor);
    await attach(visitor, 'moving.txt');
    await page.getByRole('progressbar').waitFor();
    await bo.patch(`/messages/${id}`, { topic: 'new name', propagate_mode: 'change_all' });
    await page.getByRole('heading', { level: 1, name: 'new name' }).waitFor();
    release();
    await visitor.uploads('moving.txt');
    await send(visitor);
    await visitor.reads('moving.txt');
    expect(await sourceIn('new name')).toMatch(/^\[moving\.txt\]\(\S+\)$/);
    await visitor.leave();
  });

  test('A pasted screenshot gets a card, and a failed message returns to text and cards', async () => {
    const visitor = await open(hashOf('pasted'));
    const { page } = visitor;
    await pastePicture(visitor.composer, 'image.png');
    await visitor.uploads('image.png');
    await visitor.composer.fill('a screenshot');
    await page.route('**/api/v1/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not now' } })
        : route.continue(),
    );
    await send(visitor);
    await page.locator('.pending.failed').getByRole('button', { name: 'Edit' }).click();
    await visitor.uploads('image.png');
    expect(await visitor.composer.inputValue()).toBe('a screenshot');
    // The refusal of the service is an error in the browser's console.
    await visitor.context.close();
  });

  test('A file pasted into an edit is uploaded and linked below the text, also if the edit is left meanwhile', async () => {
    await ada.send(channel.name, 'edited', 'without a picture');
    const visitor = await open(hashOf('edited'));
    const { page } = visitor;
    await visitor.reads('without a picture');
    const release = await holdUploads(visitor);
    await visitor.composer.press('ArrowUp');
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await expect.poll(() => box.inputValue(), STEP).toBe('without a picture');
    await pastePicture(box, 'given-up.png');
    await page.getByRole('button', { name: 'Cancel upload of given-up.png' }).click();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await pastePicture(box, 'bowl.png');
    await page.getByRole('progressbar', { name: 'Uploading bowl.png' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Wait for uploads to finish').waitFor();
    await box.press('Escape');
    release();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => box.inputValue(), STEP).toMatch(/^without a picture\n\n!\[bowl\.png\]\(\S+\)$/);
    await page.keyboard.press('Control+Enter');
    await page.locator('.rendered img').waitFor();
    expect(await sourceIn('edited')).toMatch(/^without a picture\n\n!\[bowl\.png\]\(\S+\)$/);
    await visitor.leave();
  });
});
