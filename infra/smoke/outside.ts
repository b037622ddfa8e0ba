import { Broken, expectEqual, expectMatch, readSuccess } from './caller.ts';
import type { Check } from './check.ts';

const SETTINGS = '/api/v1/server_settings';

/** What anyone can see of a deployment. */
export const outsideChecks: Check[] = [
  {
    what: 'A route of the API leads to its function',
    proves: 'API Gateway resolved the references in the OpenAPI body, and may invoke the function',
    run: async (caller) => {
      const reply = await caller.send('GET', SETTINGS, { isAnonymous: true });
      const { realm_name } = await readSuccess('GET /server_settings', reply);
      if (!realm_name) throw new Broken('There is no organization: run bootstrap:organization first');
    },
  },
  {
    what: 'HEAD answers as GET, without a body',
    proves: 'the added routes were imported',
    run: async (caller) => {
      const reply = await caller.send('HEAD', SETTINGS, { isAnonymous: true });
      expectEqual('status', reply.status, 200);
      expectEqual('body', await reply.text(), '');
    },
  },
  {
    what: 'An unknown path is answered by the service, not by the gateway',
    proves: '`/$default` was imported as the default route, and may invoke its function',
    run: async (caller) => {
      const reply = await caller.send('GET', '/api/v1/no-such-path', { isAnonymous: true });
      expectEqual('status', reply.status, 404);
      expectEqual('result', (await reply.json()).result, 'error');
    },
  },
  {
    what: 'A missing method of a path is answered with the existing ones',
    proves: 'known paths fall back to the default route as well',
    run: async (caller) => {
      const reply = await caller.send('PUT', SETTINGS, { isAnonymous: true });
      expectEqual('status', reply.status, 405);
      expectMatch('Allow', reply.headers.get('allow'), /GET/);
    },
  },
  {
    what: 'Pages of other origins may call the service',
    proves: 'the gateway leaves OPTIONS and CORS headers to the functions',
    run: async (caller) => {
      const headers = {
        origin: 'https://example.org',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      };
      const asked = await caller.send('OPTIONS', '/api/v1/messages', { isAnonymous: true, headers });
      expectEqual('status of OPTIONS', asked.status, 204);
      expectMatch('allowed methods', asked.headers.get('access-control-allow-methods'), /POST/);
      const reply = await caller.send('GET', SETTINGS, { isAnonymous: true, headers });
      await readSuccess('GET /server_settings', reply);
      expectEqual('allowed origin', reply.headers.get('access-control-allow-origin'), '*');
    },
  },
  {
    what: 'The web client is served with its security policy',
    proves: 'the layer with the web client is in place',
    run: async (caller) => {
      const reply = await caller.send('GET', '/', { isAnonymous: true });
      expectEqual('status', reply.status, 200);
      expectMatch('content type', reply.headers.get('content-type'), /^text\/html/);
      expectMatch('policy', reply.headers.get('content-security-policy'), /default-src/);
      const [, script] = /<script[^>]+src="([^"]+)"/.exec(await reply.text()) ?? [];
      if (!script) throw new Broken('The page names no script');
      const loaded = await caller.send('GET', script, { isAnonymous: true });
      expectEqual(`status of ${script}`, loaded.status, 200);
      expectMatch('type of the script', loaded.headers.get('content-type'), /javascript/);
    },
  },
  {
    what: 'A large answer is compressed',
    proves: 'binary bodies of functions pass the gateway',
    run: async (caller) => {
      const headers = { 'accept-encoding': 'gzip' };
      const reply = await caller.send('GET', '/api/v1/openapi.json', { isAnonymous: true, headers });
      expectEqual('encoding', reply.headers.get('content-encoding'), 'gzip');
      expectMatch('OpenAPI version', (await reply.json()).openapi, /^3\./);
    },
  },
  {
    what: 'A wrong key is refused',
    proves: 'functions reach the table',
    run: async (caller) => {
      const authorization = `Basic ${Buffer.from('nobody@example.org:wrong').toString('base64')}`;
      const request = { isAnonymous: true, headers: { authorization } };
      const reply = await caller.send('GET', '/api/v1/users/me', request);
      expectEqual('status', reply.status, 401);
      expectEqual('result', (await reply.json()).result, 'error');
    },
  },
];
