import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutside } from '#shared/adapters/outside/call.ts';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import { GifProviderServer } from '#tests/harness/gif-provider.ts';
import { eventually, type Visitor } from './browser.ts';
import { openPair } from './pair.ts';

const provider = await new GifProviderServer().start();
const { browser, stage, hashOf, open } = await openPair();

const offer = (isOffered: boolean): void => {
  const { services } = stage.service;
  services.config.gifs = isOffered ? { provider: 'klipy', url: provider.url, key: 'key' } : {};
};

beforeAll(() => {
  stage.service.services.outside = createOutside({ openings: readOpenings(provider.receiver.host) });
  offer(true);
});
afterAll(() => provider.stop());

const button = ({ page }: Visitor) => page.getByRole('button', { name: 'Insert a GIF' });
const picker = ({ page }: Visitor) => page.getByRole('dialog', { name: 'GIFs' });

describe.runIf(browser)('GIFs in a browser', () => {
  test('A GIF is found and sent by keys alone, and only the service contacts the provider', async () => {
    const { visitor, page } = await open(hashOf('gifs'));
    const foreign: string[] = [];
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (/^https?:$/.test(protocol) && host !== new URL(stage.service.url).host) foreign.push(request.url());
    });
    await button(visitor).focus();
    await page.keyboard.press('Enter');
    const field = picker(visitor).getByRole('searchbox', { name: 'Search KLIPY' });
    await eventually(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await picker(visitor).getByRole('img', { name: 'Cat high five' }).waitFor();
    await visitor.expectAccessible();
    await page.keyboard.type('dance');
    await eventually(() => provider.searches.at(-1)?.searchParams.get('q')).toBe('dance');
    await eventually(() => picker(visitor).getByText('Finding GIFs').count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await visitor.expectDraft(`[](${provider.url}/media/b2/medium.gif) `);
    await eventually(() => visitor.composer.evaluate((element) => element === document.activeElement)).toBe(
      true,
    );
    await visitor.send();
    const image = page.locator('.message:not(.pending) .message_inline_image img');
    await image.waitFor();
    await eventually(() => image.getAttribute('src')).toMatch(/^\/user_avatars\/.*-still\.webp$/);
    await image.hover();
    await eventually(() => image.getAttribute('src')).toMatch(/^\/user_avatars\/.*\.gif$/);
    expect(foreign).toEqual([]);
  });

  test('The previews do not move if the person wants that, and page follows page', async () => {
    const { visitor } = await open(hashOf('still'), { reducedMotion: 'reduce' });
    await button(visitor).click();
    const image = picker(visitor).getByRole('img', { name: 'Happy dance' });
    await image.waitFor();
    expect(await image.getAttribute('src')).toMatch(/\?still=true$/);
    await picker(visitor).getByRole('button', { name: 'Play GIFs' }).click();
    await eventually(() => image.getAttribute('src')).not.toMatch(/still/);
    provider.gifs = [{ id: 'c3', title: 'Applause' }];
    await picker(visitor).getByRole('button', { name: 'More GIFs' }).click();
    await picker(visitor).getByRole('img', { name: 'Applause' }).waitFor();
    expect(await picker(visitor).getByRole('img').count()).toBe(3);
    await visitor.expectFitting();
  });

  test('A search without results says so, and a failing provider has a second try', async () => {
    const { visitor, page } = await open(hashOf('failure'), { colorScheme: 'dark' });
    await button(visitor).click();
    provider.gifs = [];
    await picker(visitor).getByRole('searchbox').fill('nothing like it');
    await picker(visitor).getByText('No GIFs found').waitFor();
    await visitor.expectAccessible();
    const json = { result: 'error', msg: 'The GIF provider does not answer.', code: 'BAD_GATEWAY' };
    await page.route('**/api/v1/gifs?*', (route) => route.fulfill({ status: 502, json }));
    await picker(visitor).getByRole('searchbox').fill('broken');
    await picker(visitor).getByRole('alert').getByText('The GIF provider does not answer.').waitFor();
    await page.unroute('**/api/v1/gifs?*');
    provider.gifs = [{ id: 'd4', title: 'Back again' }];
    await picker(visitor).getByRole('button', { name: 'Try again' }).click();
    await picker(visitor).getByRole('img', { name: 'Back again' }).waitFor();
    // The refusal is in the console.
    await visitor.context.close();
  });

  test('Without a provider, or when the organization disables GIFs, there is no button', async () => {
    const { visitor } = await open(hashOf('none'));
    await button(visitor).waitFor();
    await stage.service.owner.patch('/realm', { gif_rating_policy: 0 });
    await eventually(() => button(visitor).count()).toBe(0);
    await visitor.leave();
    await stage.service.owner.patch('/realm', { gif_rating_policy: 2 });
    offer(false);
    const { visitor: other } = await open(hashOf('none'));
    await other.composer.waitFor();
    expect(await button(other).count()).toBe(0);
  });
});
