import { describe, expect, test } from 'vitest';
import { createChannel } from '#tests/harness/scene.ts';
import { eventually } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, open } = await openPair();

const CANNOT = 'You can’t view this message. It was deleted, or it’s in a channel you’re not in.';

describe.runIf(browser)('In a browser', () => {
  test('A link to a message of a hidden channel leads to a calm sentence', async () => {
    const hidden = await createChannel(stage.service, [bo], { invite_only: true });
    const secret = await bo.send(hidden.name, 'plans', 'between us');
    const address = `#narrow/channel/${hidden.channelId}/topic/plans/near/${secret}`;
    await bo.send(channel.name, 'hints', `Look [here](/${address}).`);
    const { visitor, page } = await open(hashOf('hints'));
    await visitor.reads('Look here.');
    const link = page.locator('.rendered').getByRole('link', { name: 'here' });
    await link.hover();
    await page.getByRole('tooltip').getByText(CANNOT).waitFor();
    await link.click();
    await page.getByRole('heading', { name: 'You can’t view this' }).waitFor();
    await visitor.expectAccessible();
  });

  test('A link to a deleted message opens its conversation and says so', async () => {
    const gone = await bo.send(channel.name, 'tidy', 'a slip');
    await bo.send(channel.name, 'tidy', 'what stays');
    await stage.service.owner.delete(`/messages/${gone}`);
    await stage.service.settle();
    const { visitor, page } = await open(hashOf('tidy', `/near/${gone}`));
    await visitor.reads('what stays');
    await page.getByText(CANNOT).waitFor();
  });

  test('A link to a moved message leads to its new place', async () => {
    const moved = await bo.send(channel.name, 'before', 'on the move');
    await bo.send(channel.name, 'before', 'left behind');
    await stage.service.owner.patch(`/messages/${moved}`, { topic: 'after' });
    await stage.service.settle();
    const { visitor, page } = await open(hashOf('before', `/near/${moved}`));
    await page.getByRole('heading', { level: 1, name: 'after' }).waitFor();
    await visitor.reads('on the move');
  });

  test('Alert words are marked, but not in code', async () => {
    await ada.post('/users/me/alert_words', { alert_words: ['lighthouse'] });
    await bo.send(channel.name, 'coast', 'The Lighthouse is on, says `lighthouse status`.');
    const { visitor, page } = await open(hashOf('coast'));
    await visitor.reads('is on');
    expect(await page.locator('.alert-word').allTextContents()).toEqual(['Lighthouse']);
    await visitor.expectAccessible();
  });

  test('A message of a muted person is collapsed until the viewer opens it', async () => {
    await bo.send(channel.name, 'noise', 'a loud remark');
    await ada.post(`/users/me/muted_users/${bo.userId}`);
    const { visitor, page } = await open(hashOf('noise'));
    const show = page.getByRole('button', { name: 'Message from someone you muted. Show' });
    await show.waitFor();
    expect(await page.getByText('a loud remark').count()).toBe(0);
    await visitor.expectAccessible();
    await show.click();
    await visitor.reads('a loud remark');
    await ada.delete(`/users/me/muted_users/${bo.userId}`);
    await eventually(() => show.count()).toBe(0);
  });
});
