import { once } from 'node:events';
import { request } from 'node:http';
import type { Attack } from './attack.ts';

const OWNER = 'owner@example.com';

/** A request by any host name, as a browser sends it that was led here. */
async function statusOf(url: string, path: string, headers: Record<string, string>): Promise<number> {
  const { port } = new URL(url);
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
  sent.end(new URLSearchParams({ username: OWNER }).toString());
  const [reply] = await once(sent, 'response');
  reply.resume();
  return reply.statusCode;
}

export const foreignPages: Attack = {
  name: 'foreign-pages',
  attempt:
    'pages of other sites ask for the key of the owner, by a form of another origin and by a host name of their own',
  async run({ url }) {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const crossSite = { ...form, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const key = await statusOf(url, '/api/v1/dev_fetch_api_key', crossSite);
    const rebound = await statusOf(url, '/api/v1/server_settings', { ...form, host: 'evil.example' });
    return {
      seen: `a key for another origin: ${key}; a request by another host name: ${rebound}`,
      achieved: [
        ...(key === 200 ? ['the key of the owner'] : []),
        ...(rebound === 421 ? [] : ['an answer by a host name of another site']),
      ],
    };
  },
};
