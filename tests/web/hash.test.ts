import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeComponent, encodeComponent, hashOfNarrow, type Names, readHash } from '#web/state/hash.ts';
import { directNarrow, topicNarrow, withChannelIds } from '#web/state/narrow.ts';

const names: Names = {
  channel: (id) => (id === 2 ? '50% off (new) v1.0' : undefined),
  person: (id) => (id === 5 ? 'Bo Lee' : undefined),
};

test('A component of an address has dots for percent signs, as other clients write it', () => {
  expect(encodeComponent('a.b (c)!')).toBe('a.2Eb.20.28c.29.21');
  expect(encodeComponent('✔ done')).toBe('.E2.9C.94.20done');
});

test('Every text survives being written as a component and read again', () => {
  void fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => decodeComponent(encodeComponent(text)) === text),
  );
});

test('The address of a channel has its id and, for readability, its name', () => {
  expect(hashOfNarrow(topicNarrow(2, 'a/b'), names)).toBe(
    '#narrow/channel/2-50.25-off-.28new.29-v1.2E0/topic/a.2Fb',
  );
  expect(hashOfNarrow(directNarrow([5]), names, 31)).toBe('#narrow/dm/5-Bo-Lee/near/31');
  expect(hashOfNarrow(directNarrow([7, 5]), names)).toBe('#narrow/dm/5,7-group');
});

test('Every conversation is read from its own address', () => {
  void fc.assert(
    fc.property(fc.nat(), fc.string(), (channelId, topic) => {
      const narrow = topicNarrow(channelId, topic);
      expect(readHash(hashOfNarrow(narrow, names))).toEqual({ view: 'narrow', narrow });
    }),
  );
});

test.each([
  ['#narrow/channel/1-gen/topic/two%20words', 'two words'],
  ['#narrow/channel/1-gen/topic/caf%C3%A9.20noir', 'café noir'],
  ['#narrow/channel/1-gen/topic/%E2%9C%94.20done', '✔ done'],
  ['#narrow/channel/1-gen/topic/50%25', '50%'],
  ['#narrow/channel/1-gen/topic/100%', '100%'],
])('A percent-encoded address opens its topic: %j', (hash, topic) => {
  expect(readHash(hash)).toEqual({ view: 'narrow', narrow: topicNarrow(1, topic) });
});

test('Addresses of older clients lead to the same view', () => {
  const wanted = readHash('#narrow/channel/9-design/topic/logo');
  expect(readHash('#narrow/stream/9-anything/subject/logo')).toEqual(wanted);
  expect(readHash('#narrow/pm-with/5-bo')).toEqual(readHash('#narrow/dm/5'));
  expect(readHash('#recent_topics')).toEqual(readHash('#recent'));
});

test('A slash at the end means the empty topic after `topic`, and nothing after other operands', () => {
  expect(readHash('#narrow/channel/9/topic/')).toEqual({ view: 'narrow', narrow: topicNarrow(9, '') });
  const starred = [{ operator: 'is', operand: 'starred' }];
  expect(readHash('#narrow/is/starred/')).toEqual({ view: 'narrow', narrow: starred });
});

test('A message in an address is the position of the view, not a part of the search', () => {
  const route = { view: 'narrow', narrow: topicNarrow(9, 'logo'), near: 31 };
  expect(readHash('#narrow/channel/9/topic/logo/near/31')).toEqual(route);
});

test('An invalid address leads home', () => {
  for (const hash of ['#narrow/channel/9/topic/.E2.28', '#narrow/channel', '#nothing-of-this-name', ''])
    expect(readHash(hash)).toEqual({ view: 'home', rest: [] });
});

test('A link that names a channel without its id leads to the channel, and an unknown name stays', () => {
  const channels = [{ stream_id: 9, name: 'Design Team' }];
  const narrowOf = (hash: string) => {
    const route = readHash(hash);
    return route.view === 'narrow' ? withChannelIds(route.narrow, channels) : [];
  };
  expect(narrowOf('#narrow/stream/design-team/topic/logo')).toEqual(topicNarrow(9, 'logo'));
  expect(narrowOf('#narrow/channel/Design.20Team/topic/logo')).toEqual(topicNarrow(9, 'logo'));
  expect(narrowOf('#narrow/channel/other')).toEqual([{ operator: 'channel', operand: 'other' }]);
});

test.each([
  ...['home', 'inbox', 'recent', 'feed', 'drafts', 'scheduled', 'reminders', 'channels', 'groups'],
  ...['settings', 'organization', 'user', 'invite', 'keyboard-shortcuts'],
])('The page %s has an address of its own, with its parameters', (view) => {
  expect(readHash(`#${view}`)).toEqual({ view, rest: [] });
  expect(readHash(`#${view}//5/general/`)).toEqual({ view, rest: ['5', 'general'] });
});

test.each([
  ['#recent_topics', 'recent'],
  ['#all_messages', 'feed'],
  ['#streams', 'channels'],
])('The address %s of older clients leads to the page %s', (hash, view) => {
  expect(readHash(hash)).toEqual({ view, rest: [] });
});

test.each([
  ['#narrow/-is/muted', [{ operator: 'is', operand: 'muted', negated: true }]],
  ['#narrow/-stream/9-design', [{ operator: 'channel', operand: '9', negated: true }]],
  ['#narrow/dm/5,7-group', [{ operator: 'dm', operand: '5,7' }]],
  ['#narrow/dm-including/5-Bo', [{ operator: 'dm-including', operand: '5' }]],
  ['#narrow/sender/5-Bo-Lee', [{ operator: 'sender', operand: '5' }]],
  ['#narrow/sender/me', [{ operator: 'sender', operand: 'me' }]],
  ['#narrow/search/5-a-day', [{ operator: 'search', operand: '5-a-day' }]],
  ['#narrow/search/topic/', [{ operator: 'search', operand: 'topic' }]],
  ['#narrow/near/today', [{ operator: 'near', operand: 'today' }]],
])('The search of %s is read', (hash, narrow) => {
  expect(readHash(hash)).toEqual({ view: 'narrow', narrow });
});

test.each([
  ...['#narrow', '#narrow/', '#narrow//', '#narrow/is', '#narrow/is/', '#narrow/is/starred/has'],
  ...['#narrow/topic', '#narrow/channel/9/topic'],
])('The incomplete search of %s leads home', (hash) =>
  expect(readHash(hash)).toEqual({ view: 'home', rest: [] }),
);

test('The address of a search has the ids of people and, for readability, their names', () => {
  const written = (operator: string, operand: string, negated = false) =>
    hashOfNarrow([{ operator, operand, ...(negated && { negated }) }], names);
  expect(written('sender', '5', true)).toBe('#narrow/-sender/5-Bo-Lee');
  expect(written('dm-including', '5')).toBe('#narrow/dm-including/5-Bo-Lee');
  expect(written('dm', '7')).toBe('#narrow/dm/7');
  expect(written('sender', 'a@b.c')).toBe('#narrow/sender/a.40b.2Ec');
  expect(written('search', '5')).toBe('#narrow/search/5');
  expect(written('channel', '3')).toBe('#narrow/channel/3');
  const spaced = { ...names, channel: () => ' a  b ' };
  expect(hashOfNarrow([{ operator: 'channel', operand: '2' }], spaced)).toBe('#narrow/channel/2-a--b');
});

test('The address of a message in a conversation has the message once', () => {
  const narrow = [...topicNarrow(2, 'logo'), { operator: 'with', operand: '7' }];
  const topic = '#narrow/channel/2-50.25-off-.28new.29-v1.2E0/topic/logo';
  expect(hashOfNarrow(narrow, names)).toBe(`${topic}/with/7`);
  expect(hashOfNarrow(narrow, names, 31)).toBe(`${topic}/near/31`);
});
