import { beforeEach, expect, test } from 'vitest';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { clear, ISSUE, KNOWS, listed, made } from './linkifier-calls.ts';

let id: number;
const service = await startTestService();
const owner = service.owner;
beforeEach(async () => {
  await clear(owner);
  id = await made(owner, { ...ISSUE, example_input: '#1', reverse_template: '#{id}' });
});

const edit = (params: Params, filterId: unknown = id, client = owner) =>
  client.patch(`/realm/filters/${filterId}`, params);
const TICKET = { pattern: '#?T(?P<n>[0-9]+)', url_template: 'https://example.org/{n}' };

test('An edited linkifier keeps its place and other fields, and the event has the whole list', async () => {
  const other = await made(owner, { ...ISSUE, pattern: 'b(?P<id>c)' });
  const queue = await owner.listen(KNOWS);
  const { body } = await edit({ ...ISSUE, url_template: 'https://example.org/{id}' });
  expect(body).toEqual({ result: 'success', msg: '' });
  const now = await listed(owner);
  expect(now).toMatchObject([
    { id, url_template: 'https://example.org/{id}', example_input: '#1', reverse_template: '#{id}' },
    { id: other },
  ]);
  expect(await queue.drain()).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: now }]);
});

test('An empty example and an empty reverse template count as missing', async () => {
  await edit({ ...TICKET, example_input: '', reverse_template: '' });
  expect(await listed(owner)).toMatchObject([{ id, ...TICKET, example_input: null, reverse_template: null }]);
});

test('An edit refuses the same values as a creation', async () => {
  const other = await made(owner, { ...ISSUE, pattern: 'b(?P<id>c)' });
  const before = await listed(owner);
  expectRefusal(await edit(TICKET), 'The example input does not match the linkifier pattern.');
  expectRefusal(await edit(ISSUE, other), 'A linkifier with this pattern already exists.');
  expectRefusal(await edit({ ...ISSUE, pattern: '(' }), 'Bad regular expression: missing closing ): `(`');
  expectRefusal(await edit(ISSUE, 99_999), 'Linkifier not found.');
  expect(await listed(owner)).toEqual(before);
});
