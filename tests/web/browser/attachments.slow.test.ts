import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { makePicture } from '#tests/harness/pictures.ts';
import { eventually, type Visitor } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, open, openMessage, contentsOf } = await openPair();

const picture = Buffer.from(await makePicture({ width: 120, height: 90 }));

/** Attaches pictures and texts to the open message. */
async function attach(visitor: Visitor, ...names: string[]): Promise<void> {
  const fileOf = (name: string) =>
    name.endsWith('.png')
      ? { name, mimeType: 'image/png', buffer: picture }
      : { name, mimeType: 'text/plain', buffer: Buffer.from('text') };
  await visitor.attach(...names.map(fileOf));
}

/** Attaches files, and waits for their uploads. */
async function upload(visitor: Visitor, ...names: string[]): Promise<void> {
  await attach(visitor, ...names);
  await visitor.uploads(...names);
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

/** The source of the newest message of a topic; undefined if there is none. */
const sourceIn = async (topic: string): Promise<string | undefined> => (await contentsOf(topic)).at(-1);

describe.runIf(browser)('Files of a message in a browser', () => {
  test('A card shows thumbnail, size and progress, and the text stays free of links until the message is sent', async () => {
    const { visitor, page } = await open(hashOf('cards'));
    await visitor.composer.fill('Photos from the kiln.');
    const release = await visitor.holdUploads();
    await attach(visitor, 'kiln-firing-of-june.png', 'glaze.txt');
    const bar = page.getByRole('progressbar', { name: 'Uploading kiln-firing-of-june.png' });
    await bar.waitFor();
    const thumbnail = visitor.attachment('kiln-firing-of-june.png').locator('img');
    const width = () => thumbnail.evaluate((element) => (element as HTMLImageElement).naturalWidth);
    await eventually(width).toBe(120);
    await visitor.attachment('glaze.txt').getByText('4 byte').waitFor();
    await visitor.expectPresentable();
    release();
    await visitor.uploads('kiln-firing-of-june.png', 'glaze.txt');
    const topOf = async (place: string) => (await page.locator(place).boundingBox())!.y;
    expect(await topOf('.tray')).toBeLessThan(await topOf('#compose-text'));
    expect(await bar.count()).toBe(0);
    expect(await visitor.composer.inputValue()).toBe('Photos from the kiln.');
    await page.emulateMedia({ colorScheme: 'dark' });
    await visitor.expectAccessible();
    await visitor.send();
    await visitor.reads('Photos from the kiln.');
    await page.getByRole('list', { name: 'Attachments' }).waitFor({ state: 'detached' });
    expect(await sourceIn('cards')).toMatch(
      /^Photos from the kiln\.\n\n!\[kiln-firing-of-june\.png\]\(\/user_uploads\/\S+\)\n\[glaze\.txt\]\(\/user_uploads\/\S+\)$/,
    );
  });

  test('A file is removed by keys, and Undo returns it to its place', async () => {
    const { visitor, page } = await open(hashOf('removed'));
    await upload(visitor, 'one.txt', 'two.txt', 'three.txt');
    await page.getByRole('button', { name: 'Remove two.txt' }).focus();
    await page.keyboard.press('Enter');
    await visitor.attachment('two.txt').waitFor({ state: 'detached' });
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Remove three.txt',
    );
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await visitor.uploads('two.txt');
    await page.getByRole('button', { name: 'Remove one.txt' }).click();
    await visitor.composer.fill('two files');
    await visitor.send();
    await visitor.reads('two files');
    expect(await sourceIn('removed')).toMatch(/^two files\n\n\[two\.txt\]\(\S+\)\n\[three\.txt\]\(\S+\)$/);
  });

  test('A refused file shows its reason, can be retried, and does not delay the others', async () => {
    const { visitor, page } = await open(hashOf('refused'));
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
    await visitor.send();
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
    const { visitor, page } = await open(hashOf('alone'));
    const button = page.getByRole('button', { name: 'Send', exact: true });
    expect(await button.isDisabled()).toBe(true);
    await upload(visitor, 'alone.txt');
    await visitor.composer.focus();
    await page.keyboard.press('Control+Enter');
    await visitor.reads('alone.txt');
    expect(await sourceIn('alone')).toMatch(/^\[alone\.txt\]\(\S+\)$/);
  });

  test('Files of a draft survive a reload and another conversation, and other clients see their links', async () => {
    const { visitor, page } = await open(hashOf('drafted'));
    await visitor.composer.fill('With a plan');
    await upload(visitor, 'plan.png');
    const draft = async () => (await ada.get('/drafts')).body.drafts[0]?.content;
    await eventually(draft).toMatch(/^With a plan\n\n!\[plan\.png\]\(\/user_uploads\/\S+\)$/);
    await page.reload();
    await visitor.uploads('plan.png');
    expect(await visitor.composer.inputValue()).toBe('With a plan');
    await page.locator('.attachment img').waitFor();
    await visitor.goTo(stage.service, '#drafts');
    await page.getByText('![plan.png]').waitFor();
    await visitor.goTo(stage.service, hashOf('drafted'));
    await visitor.uploads('plan.png');
    await visitor.composer.fill('With the plan');
    await eventually(draft).toMatch(/^With the plan\n\n!\[plan\.png\]\(\S+\)$/);
    await page.getByRole('button', { name: 'Remove plan.png' }).click();
    await eventually(draft).toBe('With the plan');
    await visitor.composer.fill('');
    await eventually(async () => (await ada.get('/drafts')).body.count).toBe(0);
  });

  test('A scheduled message has the files of its draft, and a preview shows them', async () => {
    const { visitor, page } = await open(hashOf('scheduled'));
    await visitor.composer.fill('for tomorrow');
    await upload(visitor, 'tomorrow.txt');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.preview').getByRole('link', { name: 'tomorrow.txt' }).waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Schedule message' }).click();
    await page.getByRole('button', { name: 'In 1 hour' }).click();
    await page.getByRole('list', { name: 'Attachments' }).waitFor({ state: 'detached' });
    const [scheduled] = (await ada.get('/scheduled_messages')).body.scheduled_messages;
    expect(scheduled.content).toMatch(/^for tomorrow\n\n\[tomorrow\.txt\]\(\/user_uploads\/\S+\)$/);
  });

  test('A quote joins the text of a draft before its files', async () => {
    const { visitor, page } = await openMessage('quoted', 'quote me');
    await upload(visitor, 'quoted.txt');
    await visitor.quote('quote me');
    await visitor.expectDraft(/```quote\nquote me\n```\n?$/);
    await visitor.send();
    await page.locator('.message blockquote').waitFor();
    expect(await sourceIn('quoted')).toMatch(/```quote\nquote me\n```\n\n\[quoted\.txt\]\(\S+\)$/);
  });

  test('Two tabs share the files of a draft', async () => {
    const { visitor } = await open(hashOf('tabs'));
    const other = await visitor.openTab();
    await upload(visitor, 'shared.txt');
    await other.uploads('shared.txt');
    await other.composer.fill('from the other tab');
    await visitor.expectDraft('from the other tab');
    expect(await visitor.attachment('shared.txt').count()).toBe(1);
    await visitor.send();
    await visitor.reads('from the other tab');
    await other.attachment('shared.txt').waitFor({ state: 'detached' });
    expect(await sourceIn('tabs')).toMatch(/^from the other tab\n\n\[shared\.txt\]\(\S+\)$/);
  });

  test('A message that waits for its uploads is marked and read-only until its author continues editing', async () => {
    const { visitor, page } = await open(hashOf('held'));
    const release = await visitor.holdUploads();
    await visitor.composer.fill('wait for it');
    await attach(visitor, 'held.txt');
    await page.getByRole('progressbar').waitFor();
    await visitor.send();
    await page.getByRole('button', { name: 'Sends when uploads finish' }).waitFor();
    expect(await visitor.composer.isEditable()).toBe(false);
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await visitor.composer.fill('wait for me');
    release();
    await visitor.uploads('held.txt');
    expect(await sourceIn('held')).toBeUndefined();
    await visitor.send();
    await visitor.reads('wait for me');
  });

  test('A new topic opens while its uploads run, and gets the message when they finish', async () => {
    const { visitor, page } = await open(`#narrow/channel/${channel.channelId}-room`);
    const release = await visitor.holdUploads();
    await page.locator('button#compose-text').click();
    await page.locator('.topic-field').fill('begun with a file');
    await visitor.composer.fill('first words');
    await attach(visitor, 'first.txt');
    await page.getByRole('progressbar').waitFor();
    await visitor.send();
    await page.getByRole('heading', { level: 1, name: 'begun with a file' }).waitFor();
    await page.getByText('Your message will be sent when the uploads finish').waitFor();
    release();
    await visitor.reads('first words');
    expect(await sourceIn('begun with a file')).toMatch(/^first words\n\n\[first\.txt\]\(\S+\)$/);
  });

  test('Uploads follow their topic when another person renames it', async () => {
    const { visitor, page, id } = await openMessage('old name', 'rename me');
    const release = await visitor.holdUploads();
    await attach(visitor, 'moving.txt');
    await page.getByRole('progressbar').waitFor();
    await bo.patch(`/messages/${id}`, { topic: 'new name', propagate_mode: 'change_all' });
    await page.getByRole('heading', { level: 1, name: 'new name' }).waitFor();
    release();
    await visitor.uploads('moving.txt');
    await visitor.send();
    await visitor.reads('moving.txt');
    expect(await sourceIn('new name')).toMatch(/^\[moving\.txt\]\(\S+\)$/);
  });

  test('A pasted screenshot gets a card, and a failed message returns to text and cards', async () => {
    const { visitor, page } = await open(hashOf('pasted'));
    await pastePicture(visitor.composer, 'image.png');
    await visitor.uploads('image.png');
    await visitor.composer.fill('a screenshot');
    await visitor.refuseSending('Not now');
    await visitor.send();
    await page.locator('.pending.failed').getByRole('button', { name: 'Edit' }).click();
    await visitor.uploads('image.png');
    expect(await visitor.composer.inputValue()).toBe('a screenshot');
  });

  test('A file pasted into an edit is uploaded and linked below the text, also if the edit is left meanwhile', async () => {
    const { visitor, page } = await openMessage('edited', 'without a picture', {}, ada);
    const release = await visitor.holdUploads();
    await visitor.composer.press('ArrowUp');
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await eventually(() => box.inputValue()).toBe('without a picture');
    await pastePicture(box, 'given-up.png');
    await page.getByRole('button', { name: 'Cancel upload of given-up.png' }).click();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await pastePicture(box, 'bowl.png');
    await page.getByRole('progressbar', { name: 'Uploading bowl.png' }).waitFor();
    await box.press('Control+Enter');
    await page.getByText('Wait for uploads to finish').waitFor();
    await box.fill('without a picture yet');
    await box.press('Escape');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('progressbar', { name: 'Uploading bowl.png' }).waitFor();
    await box.press('Escape');
    release();
    await page.getByRole('button', { name: 'Continue' }).click();
    await eventually(() => box.inputValue()).toMatch(/^without a picture yet\n\n!\[bowl\.png\]\(\S+\)$/);
    await box.press('Control+Enter');
    await page.locator('.rendered img').waitFor();
    expect(await sourceIn('edited')).toMatch(/^without a picture yet\n\n!\[bowl\.png\]\(\S+\)$/);
  });
});
