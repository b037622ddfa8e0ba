import { expect, test } from 'vitest';
import { load, useStillPage } from './still-page.ts';

const [store] = await load('#web/net/store.ts');

const person = (user_id: number, full_name: string, role = 400) => ({ user_id, full_name, role });
const channel = (stream_id: number, name: string) => ({ stream_id, name });

const page = useStillPage({
  realm_users: [person(2, 'Ada'), person(3, 'Gil', 600)],
  realm_non_active_users: [person(4, 'Former')],
  cross_realm_bots: [person(5, 'Welcome')],
  muted_users: [{ id: 3, timestamp: 1 }],
  subscriptions: [channel(9, 'design')],
  unsubscribed: [channel(10, 'random')],
  never_subscribed: [channel(11, 'secret')],
  realm_enable_guest_user_indicator: true,
  realm_empty_topic_display_name: 'small talk',
});

test('Nothing is known before the service answered', () => {
  const { value } = store.state;
  store.state.value = undefined;
  expect(store.hasState.value).toBe(false);
  expect(() => store.server.value).toThrow('Nothing is registered yet.');
  store.state.value = value;
  expect(store.hasState.value).toBe(true);
});

test('People are known while they are members, after that, and if they are part of the service', () => {
  expect([...store.people.value.keys()]).toEqual([2, 3, 4, 5]);
  expect([2, 4, 5, 6].map((id) => store.names.person(id))).toEqual(['Ada', 'Former', 'Welcome', undefined]);
  expect([...store.mutedPeople.value]).toEqual([3]);
});

test('Guests are marked if the organization wants that, and no one else', () => {
  expect([2, 3, 6].map(store.nameOfPerson)).toEqual(['Ada', 'Gil (guest)', 'Unknown user']);
  page.set({ realm_enable_guest_user_indicator: false });
  expect(store.nameOfPerson(3)).toBe('Gil');
});

test('Channels are known that the viewer reads, left or never read, and their own are the subscribed ones', () => {
  expect([...store.channels.value.keys()].sort((a, b) => a - b)).toEqual([9, 10, 11]);
  expect([...store.ownChannels.value.keys()]).toEqual([9]);
  const names = [9, 10, 11, 12].map((id) => store.names.channel(id));
  expect(names).toEqual(['design', 'random', 'secret', undefined]);
  page.set({ never_subscribed: [channel(9, 'as it was')] });
  expect(store.names.channel(9)).toBe('design');
});

test('The empty topic has the name that the organization set', () => {
  expect(store.topicLabel('logo')).toBe('logo');
  expect(store.topicLabel('')).toBe('small talk');
  page.set({ realm_empty_topic_display_name: '' });
  expect(store.topicLabel('')).toBe('general chat');
});

const texts = () => store.notices.value.map(({ text }: { text: string }) => text);

test('A notice is shown for five seconds, and longer while a pointer or the focus is on it', async () => {
  const run = () => undefined;
  store.showNotice('Done');
  store.showNotice('Gone', { label: 'Undo', run });
  expect(store.notices.value).toEqual([
    { id: expect.any(Number), text: 'Done' },
    { id: expect.any(Number), text: 'Gone', action: { label: 'Undo', run } },
  ]);
  await page.pass(4_999);
  expect(texts()).toEqual(['Done', 'Gone']);
  await page.pass(1);
  expect(texts()).toEqual([]);
  store.showNotice('Kept');
  store.isNoticeHeld.value = true;
  await page.pass(5_000);
  expect(texts()).toEqual(['Kept']);
  store.isNoticeHeld.value = false;
  await page.pass(5_000);
  expect(texts()).toEqual([]);
});

test('The three newest notices are shown, and each disappears when the viewer closes it', () => {
  for (const text of ['one', 'two', 'three', 'four']) store.showNotice(text);
  expect(texts()).toEqual(['two', 'three', 'four']);
  store.dismiss(store.notices.value[1].id);
  expect(texts()).toEqual(['two', 'four']);
});
