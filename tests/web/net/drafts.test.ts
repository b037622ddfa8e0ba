import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openRoom } from './room.ts';

const { ada, bo, room, page } = await openRoom();
const { drafts, own } = page.net;
let stop: () => void = drafts.watchDrafts();
afterAll(() => stop());

const about = (topic: string) => ({ type: 'stream', channelId: room.channelId, topic });
const kept = async () => (await ada.get('/drafts')).body.drafts;
const contents = async () => (await kept()).map(({ content }: { content: string }) => content);
/** The drafts of a conversation, without the marks of drafts that ended. */
const local = (conversation: object) =>
  drafts
    .localDrafts()
    .filter((draft: { conversation: object; content: string }) => draft.content !== '')
    .filter((draft: { conversation: object }) => isDeepStrictEqual(draft.conversation, conversation));
const serverDrafts = () => page.net.store.server.value.drafts;

test('A draft is stored on the device at once, and at the service a moment later, in its last state', async () => {
  const change = drafts.localDraftsChange.value;
  drafts.keepDraft(about('lunch'), 'Sou');
  expect(drafts.readDraft(about('lunch'))).toBe('Sou');
  expect(local(about('lunch'))).toMatchObject([{ content: 'Sou' }]);
  expect(drafts.localDraftsChange.value).not.toBe(change);
  expect(drafts.readOutside(about('lunch'))).toBeUndefined();
  drafts.keepDraft(about('lunch'), 'Soup');
  await page.sees(() => serverDrafts().length === 1);
  expect(await kept()).toMatchObject([
    { type: 'stream', to: [room.channelId], topic: 'lunch', content: 'Soup' },
  ]);
  await page.sees(() => local(about('lunch')).length === 0);
  expect(drafts.readDraft(about('lunch'))).toBe('Soup');
  expect(drafts.readOutside(about('lunch'))).toBe('Soup');

  drafts.keepDraft(about('lunch'), 'Soup and bread');
  await page.sees(() => serverDrafts()[0].content === 'Soup and bread');
  expect(await contents()).toEqual(['Soup and bread']);
  drafts.endDraft(about('lunch'));
  await page.sees(() => serverDrafts().length === 0);
  expect(await contents()).toEqual([]);
  await page.sees(() => drafts.readDraft(about('lunch')) === '');
});

test('A draft that ends before the service got it leaves nothing', async () => {
  const to = { type: 'private', userIds: [bo.userId] };
  const before = page.calls.length;
  drafts.keepDraft(to, 'Hel');
  drafts.keepDraft(to, '  ');
  expect(local(to)).toEqual([]);
  expect(drafts.readDraft(to)).toBe('');
  drafts.keepDraft(to, '');
  expect(page.calls).toHaveLength(before);
});

test('Drafts of another device appear, and a draft is removed by its place and its id', async () => {
  const draft = { type: 'stream', to: [room.channelId], topic: 'Dinner', content: 'Salad', timestamp: 1_000 };
  const { body } = await ada.post('/drafts', { drafts: [draft] });
  await page.sees(() => drafts.readOutside(about('dinner')) === 'Salad');
  expect(drafts.readOutside(about('breakfast'))).toBe('');
  await drafts.removeDraft(about('dinner'), body.ids[0]);
  await page.sees(() => serverDrafts().length === 0);
  expect(await contents()).toEqual([]);
});

test('A refused draft stays on the device, and is sent when the page reloads', async () => {
  page.refuseNext('Not today');
  drafts.keepDraft(about('supper'), 'Bread');
  await page.sees(() => page.network === undefined);
  expect(local(about('supper'))).toMatchObject([{ content: 'Bread' }]);
  expect(await contents()).toEqual([]);
  stop();
  stop = drafts.watchDrafts();
  await page.sees(() => serverDrafts().length === 1);
  expect(await contents()).toEqual(['Bread']);
});

test('Drafts of a viewer who does not share them stay on the device', async () => {
  await own.saveSettings({ enable_drafts_synchronization: false });
  await page.sees(() => !page.net.store.server.value.user_settings.enable_drafts_synchronization);
  const before = page.calls.length;
  drafts.keepDraft(about('night'), 'Tea');
  expect(drafts.readDraft(about('night'))).toBe('Tea');
  expect(drafts.readOutside(about('night'))).toBeUndefined();
  stop();
  stop = drafts.watchDrafts();
  drafts.endDraft(about('night'));
  expect(local(about('night'))).toEqual([]);
  expect(page.calls).toHaveLength(before);
});
