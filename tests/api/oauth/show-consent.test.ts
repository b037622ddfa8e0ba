import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import { atFileEnd } from '#tests/harness/file-end.ts';
import { Program, REDIRECT, registerProgram } from '#tests/harness/oauth.ts';
import { startTestService } from '#tests/harness/service.ts';

let document: object;
const documents = createServer((_request, response) => response.end(JSON.stringify(document)));
await new Promise<void>((done) => documents.listen(0, '127.0.0.1', done));
const { port } = documents.address() as AddressInfo;
const documentUrl = `http://127.0.0.1:${port}/program.json`;
const service = await startTestService({ openings: readOpenings(`127.0.0.1:${port}`) });
const program = await Program.register(service.url);
atFileEnd(() => documents.close());

const textOf = (body: unknown): string => Buffer.from(body as Uint8Array).toString();

describe('GET /oauth/authorize', () => {
  test('Shows the program, its scopes and the address of the reply, and cannot be framed', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const { body } = await registerProgram(service.url, { client_name: name, redirect_uris: [REDIRECT] });
    const reply = await new Program(service.url, body.client_id).page({ state: '</script><script>' });
    expect(reply.status).toBe(200);
    const html = textOf(reply.body);
    for (const part of ['&lt;img src=x', '127.0.0.1:4000']) expect(html).toContain(part);
    for (const part of [name, '</script><script>']) expect(html).not.toContain(part);
    expect(reply.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test.each([
    ['en', 'ltr', 'wants access to your account', { 'accept-language': 'fr, xx;q=0.5' }],
    ['de', 'ltr', 'möchte Zugriff auf dein Konto', { 'accept-language': 'en;q=0.4, de-AT;q=0.9' }],
    ['ar', 'rtl', 'السماح بالوصول', { 'accept-language': 'fr, ar-EG' }],
    ['en', 'ltr', 'wants access to your account', { 'accept-language': ';;q=,'.repeat(1000) }],
  ])('Uses the language that the browser accepts: %s', async (language, direction, words, headers) => {
    const query = new URLSearchParams(program.asked() as Record<string, string>);
    const html = await (await fetch(`${service.url}/oauth/authorize?${query}`, { headers })).text();
    expect(html).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(html).toContain(words);
  });

  test('Uses the language of the account that is signed in, and of the browser if there is no such account', async () => {
    const ada = await service.createUser('Ada');
    await ada.patch('/settings', { default_language: 'ja' });
    const query = new URLSearchParams(program.asked() as Record<string, string>);
    const languageFor = async (authorization: string) => {
      const headers = { authorization, 'accept-language': 'de' };
      const reply = await fetch(`${service.url}/oauth/authorize?${query}`, { headers });
      return /<html lang="(..)"/.exec(await reply.text())?.[1];
    };
    expect(await languageFor(ada.authorization)).toBe('ja');
    expect(await languageFor('Basic nonsense')).toBe('de');
  });

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['no address for the answer', { redirect_uri: undefined }],
    ['an address of another host', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer path', { redirect_uri: `${REDIRECT}/../evil` }],
    ['a query that was not registered', { redirect_uri: `${REDIRECT}?next=evil` }],
    ['another protocol', { redirect_uri: 'https://127.0.0.1:4000/callback' }],
    ['a name that begins alike', { redirect_uri: 'http://127.0.0.1.evil.example:4000/callback' }],
    ['credentials', { redirect_uri: 'http://127.0.0.1:4000@evil.example/callback' }],
  ])('Answers 400 without a redirect: %s', async (_what, changes) => {
    const { status, headers } = await program.page(changes);
    expect(status).toBe(400);
    expect(headers.get('location')).toBeNull();
  });

  test('Accepts another port of the person’s computer for the same program', async () => {
    expect((await program.page({ redirect_uri: 'http://127.0.0.1:5999/callback' })).status).toBe(200);
  });

  test.each([
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['unknown scopes', { scope: 'admin' }, 'invalid_scope'],
  ])('Redirects to the program with its state: %s', async (_what, changes, error) => {
    const { status, headers } = await program.page(changes);
    expect(status).toBe(302);
    const answer = new URL(headers.get('location') ?? '').searchParams;
    expect(Object.fromEntries(answer)).toMatchObject({ error, state: 'the state', iss: service.url });
  });
});

describe('A client with a metadata document', () => {
  const asDocumented = () => new Program(service.url, documentUrl);

  test('Appears with the host of the document', async () => {
    document = { client_id: documentUrl, client_name: 'Documented', redirect_uris: [REDIRECT] };
    const { status, body } = await asDocumented().page();
    expect(status).toBe(200);
    expect(textOf(body)).toContain(`described by <code dir="ltr">${new URL(documentUrl).host}</code>`);
  });

  test.each([
    ['names another client', () => ({ client_id: 'https://other.example/', redirect_uris: [REDIRECT] })],
    ['has other addresses', () => ({ client_id: documentUrl, redirect_uris: ['https://other.example/'] })],
    ['is no object', () => []],
  ])('Fails if the document %s', async (_what, make) => {
    document = make();
    expect((await asDocumented().page()).status).toBe(400);
  });

  test.each([
    'https://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:1/program.json',
    'https://localhost/program.json',
    'http://example.com/program.json',
    'file:///etc/passwd',
  ])('Fails at %s', async (clientId) => {
    expect((await new Program(service.url, clientId).page()).status).toBe(400);
  });
});
