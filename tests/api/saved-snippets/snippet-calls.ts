import { expect } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';

export const greeting = { title: 'Greeting', content: 'Hello, *you*!' };

/** Saves a snippet and returns its id. */
export async function createSnippet(client: Client, snippet: Params = greeting): Promise<number> {
  const { status, body } = await client.post('/saved_snippets', snippet);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.saved_snippet_id;
}

export async function listSnippets(client: Client) {
  const { status, body } = await client.get('/saved_snippets');
  expect(status, JSON.stringify(body)).toBe(200);
  return body.saved_snippets;
}

export async function findSnippet(client: Client, id: number) {
  const snippets = await listSnippets(client);
  return snippets.find((snippet: { id: number }) => snippet.id === id);
}

/** Invalid titles and contents, each with its error. */
export const refusedTexts: [string, string, string][] = [
  ['title', '', 'title cannot be blank'],
  ['title', ' \t ', 'title cannot be blank'],
  ['title', '🎉'.repeat(61), 'title is too long (limit: 60 characters)'],
  ['title', 'a\0', 'title must not contain null bytes'],
  ['content', '', 'content cannot be blank'],
  ['content', ' \n ', 'content cannot be blank'],
  ['content', 'x'.repeat(10_001), 'content is too long (limit: 10000 characters)'],
  ['content', 'a\0', 'content must not contain null bytes'],
];
