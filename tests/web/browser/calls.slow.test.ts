import { describe, expect, test } from 'vitest';
import { eventually, type Visitor } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, hashOf, open } = await openPair();

const JITSI = 1;
const BIG_BLUE_BUTTON = 4;

const configure = async (settings: Record<string, unknown>): Promise<void> => {
  expect((await stage.service.owner.patch('/realm', settings)).status).toBe(200);
};

const buttonsOf = ({ page }: Visitor) => page.getByRole('button', { name: 'Insert a call' });

/** Adds a call by the button of the message box, or by that of the head. */
async function add(visitor: Visitor, kind: 'Video call' | 'Voice call', place = 'form.compose') {
  await visitor.page.locator(place).getByRole('button', { name: 'Insert a call' }).click();
  await visitor.page.getByRole('menuitem', { name: kind }).click();
}

describe.runIf(browser)('Calls in a browser', () => {
  test('A Jitsi call is added at the cursor, and a voice call starts without video', async () => {
    await configure({ video_chat_provider: JITSI, jitsi_server_url: 'https://calls.example.com' });
    const { visitor, page } = await open(hashOf('jitsi'));
    await visitor.composer.fill('Now: !');
    await visitor.composer.press('End');
    await visitor.composer.press('ArrowLeft');
    await add(visitor, 'Video call');
    await visitor.expectDraft(
      /^Now: \[Join video call\.\]\(https:\/\/calls\.example\.com\/\d{15}#config\.startWithVideoMuted=false\) !$/,
    );
    await visitor.expectFitting();
    await visitor.send();
    const link = page.locator('.message:not(.pending)').getByRole('link', { name: 'Join video call.' });
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/calls\.example\.com\/\d{15}#/);
    await add(visitor, 'Voice call');
    await visitor.expectDraft(/^\[Join voice call\.\]\(.*#config\.startWithVideoMuted=true\) $/);
  });

  test('A direct conversation has the button in its head too, and a BigBlueButton call leads to its page', async () => {
    await configure({ video_chat_provider: BIG_BLUE_BUTTON });
    const { visitor, page } = await open(`#narrow/dm/${bo.userId}`);
    await add(visitor, 'Voice call', '.head');
    await visitor.expectDraft(
      /^\[Join voice call\.\]\(\/calls\/bigbluebutton\/join\?bigbluebutton=[\w.-]+\) $/,
    );
    await visitor.expectAccessible();
    await visitor.send();
    const opened = page.context().waitForEvent('page');
    await page.locator('.message:not(.pending)').getByRole('link', { name: 'Join voice call.' }).click();
    await (await opened).getByLabel('Your name, as others in the call see it').waitFor();
  });

  test('A call that cannot be created is reported in a sentence, and the text remains', async () => {
    await configure({ video_chat_provider: BIG_BLUE_BUTTON });
    const { visitor, page } = await open(hashOf('failure'));
    await page.route('**/api/v1/calls/bigbluebutton/create', (route) =>
      route.fulfill({ status: 400, json: { result: 'error', msg: 'No server', code: 'BAD_REQUEST' } }),
    );
    await visitor.composer.fill('begun');
    await add(visitor, 'Video call');
    await page.getByText('Couldn’t create the call: No server').waitFor();
    expect(await visitor.composer.inputValue()).toBe('begun');
    // The refusal is in the console.
    await visitor.context.close();
  });

  test('The button disappears when the organization turns calls off', async () => {
    await configure({ video_chat_provider: JITSI });
    const { visitor } = await open(`#narrow/dm/${ada.userId}`);
    await buttonsOf(visitor).first().waitFor();
    await configure({ video_chat_provider: 0 });
    await eventually(() => buttonsOf(visitor).count()).toBe(0);
  });
});
