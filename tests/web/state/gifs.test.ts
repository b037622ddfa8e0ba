import { describe, expect, test } from 'vitest';
import { type Gif, gifProviderOf, gifText, withMoreGifs } from '#web/state/gifs.ts';

const gif = (id: string, url = `https://media.example.com/${id}.gif`): Gif => ({
  ...{ id, title: id, url, width: 4, height: 3, preview_url: `/gif_previews/${id}` },
});

describe('GIFs', () => {
  test.each([
    ['GIPHY', 2, 'GIPHY'],
    ['KLIPY', 0, undefined],
    [null, 2, undefined],
    [undefined, 2, undefined],
  ])('With the provider %s and the policy %i the picker names %s', (provider, policy, expected) => {
    const settings = { server_gif_provider: provider ?? null, realm_gif_rating_policy: policy };
    expect(gifProviderOf(settings)).toBe(expected);
  });

  test('A message gets the address alone, which shows as the picture', () => {
    expect(gifText(gif('a'))).toBe('[](https://media.example.com/a.gif) ');
  });

  test('A GIF that a later page repeats is shown once', () => {
    const all = withMoreGifs([gif('a'), gif('b')], [gif('b'), gif('c')]);
    expect(all.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
});
