import { beforeEach, describe, expect, test } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { message } from '../../scene.ts';
import { load, useStillPage } from '../still-page.ts';

const [messages, store] = await load('#web/net/message-actions.ts', '#web/net/store.ts');

const page = useStillPage();
beforeEach(() => {
  store.cache.value = { ...emptyCache, byId: new Map([[7, message(7)]]) };
});

const THUMB = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
const known = () => store.cache.value.byId.get(7);
const notice = () => store.notices.value.at(-1);

describe('The state before the service answers', () => {
  test('Returns if no answer comes', async () => {
    page.answer = () => {
      throw new TypeError('fetch failed');
    };
    await messages.toggleReaction(known(), THUMB);
    expect(known().reactions).toEqual([]);
    expect(notice()?.text).toBe(
      'Couldn’t save your reaction: Can’t reach the server. Check your connection.',
    );
  });
});

test('A copied text causes a notice, and a failed copy too', async () => {
  const written: string[] = [];
  const writeText = async (text: string) => void written.push(text);
  Object.assign(page.navigator, { clipboard: { writeText } });
  await messages.copyText('Soup', 'Copied.');
  expect([written, notice()?.text]).toEqual([['Soup'], 'Copied.']);
  Object.assign(page.navigator, { clipboard: { writeText: () => Promise.reject(new Error('Not allowed')) } });
  await messages.copyText('Soup', 'Copied.');
  expect(notice()?.text).toBe('Couldn’t copy: Not allowed');
});
