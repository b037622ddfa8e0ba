import { expect } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';

export const alerts = { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alert words' };

/** Adds a view to the navigation; the reply says nothing beside success. */
export async function addView(client: Client, view: Params): Promise<void> {
  const { status, body } = await client.post('/navigation_views', view);
  expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
}

export async function listViews(client: Client) {
  const { status, body } = await client.get('/navigation_views');
  expect(status, JSON.stringify(body)).toBe(200);
  return body.navigation_views;
}

export const pathOf = (fragment: string): string => `/navigation_views/${encodeURIComponent(fragment)}`;

/** Fragments as addresses of clients have them, slashes, escapes and all, which name different places. */
export const fragments = [
  'narrow/channel/7-general/topic/100.25.20sure',
  'narrow/channel/7-general/topic/100%25%20sure',
  'narrow/channel/7-general/topic/100% sure',
  'narrow/search/a%2Fb',
  'narrow/search/a/b',
  'narrow//a/',
  'é/🎉',
  'a+b&c=d#e',
  '../..',
  '{fragment+}',
  'edit',
];

export const builtIn = [
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
];
