import { createHash, randomBytes } from 'node:crypto';
import type { Attack } from './attack.ts';
import type { Target } from './target.ts';

const HOME = 'https://program.example/callback';
/** Addresses to which a program must not have a person sent, beside the one that it registered. */
const DISGUISES = [
  'https://evil.example/callback',
  'https://program.example.evil.example/callback',
  'https://program.example@evil.example/callback',
  'https://program.example/callback/../../evil',
  'https://program.example/callback?next=https://evil.example',
  'https://program.example/callback#x',
  'https://program.example:444/callback',
  'http://program.example/callback',
  'https://program.example\\@evil.example/callback',
  'https://PROGRAM.example/callback ',
  'javascript:alert(1)',
  '//evil.example/callback',
];
/** Documents that a stranger must not have the service fetch. */
const INSIDE = [
  'https://127.0.0.1/x',
  'http://127.0.0.1:22/x',
  'https://169.254.169.254/latest/meta-data',
  'https://[::ffff:10.0.0.1]/x',
  'https://2130706433/x',
  'file:///etc/passwd',
];

/** A program that deceives people and the service. */
export const falsePrograms: Attack = {
  name: 'false-programs',
  attempt:
    'a program has codes sent elsewhere, uses them twice, steals codes of others, and requests more than it was granted',
  async run(target) {
    const achieved: string[] = [];
    let tried = 0;
    const check = (what: string, isBad: boolean): void => {
      tried++;
      if (isBad) achieved.push(what);
    };
    const victim = (await target.createMember()).authorization;
    const program = await register(target, [HOME]);
    const thief = await register(target, [HOME, 'https://evil.example/callback']);
    for (const uri of DISGUISES) {
      const page = await program.page({ redirect_uri: uri });
      const answer = await program.consent(victim, { redirect_uri: uri });
      check(`a code for ${uri}`, page.status < 400 || answer.status < 400);
      const registered = await fetch(`${target.url}/oauth/register`, jsonOf({ redirect_uris: [uri] }));
      check(`${uri} was registered`, registered.status < 400 && !uri.startsWith('https://'));
    }
    for (const clientId of INSIDE)
      check(`a document at ${clientId}`, (await program.page({ client_id: clientId })).status < 400);
    for (const changes of [
      { code_challenge: '' },
      { code_challenge_method: 'plain' },
      { response_type: 'token' },
      { resource: 'https://other.example/mcp' },
    ])
      check(`a code with ${JSON.stringify(changes)}`, (await program.codeFor(victim, changes)) !== null);

    const stolen = (await program.codeFor(victim)) ?? '';
    check('the code of another program', (await thief.exchange(stolen)).status < 400);
    check('a code without its verifier', (await program.exchange(stolen, 'x'.repeat(43))).status < 400);
    const first = await program.exchange(stolen);
    check('(the program itself is refused)', first.status !== 200);
    check('a code that was used', (await program.exchange(stolen)).status < 400);
    check('a token after its code came twice', await isLetIn(target, first.body.access_token));

    const granted = await program.exchange((await program.codeFor(victim, { scope: 'read' })) ?? '');
    check('scopes that were not asked for', granted.body.scope !== 'read');
    const renewed = await program.renew(granted.body.refresh_token, 'read send organize');
    check('scopes by renewal', renewed.body.scope !== 'read');
    check('the refresh token as a token', await isLetIn(target, renewed.body.refresh_token));
    check(
      'a program by its own token',
      (await program.consent(`Bearer ${renewed.body.access_token}`)).status < 400,
    );
    check('a refresh token that was used', (await program.renew(granted.body.refresh_token)).status < 400);
    check('a token after its refresh token came twice', await isLetIn(target, renewed.body.access_token));
    return { seen: `${tried} attempts`, achieved };
  },
};

type Changes = Record<string, string>;

interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  scope?: string;
}

const jsonOf = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const isLetIn = async ({ url }: Target, token: string): Promise<boolean> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/api/v1/users/me`, { headers })).ok;
};

async function register({ url }: Target, redirectUris: string[]) {
  const response = await fetch(
    `${url}/oauth/register`,
    jsonOf({ client_name: 'Program', redirect_uris: redirectUris }),
  );
  const { client_id } = (await response.json()) as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  const asked = (changes: Changes = {}): URLSearchParams =>
    new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: HOME,
      scope: 'read send',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    });
  const token = async (fields: Changes) => {
    const body = new URLSearchParams({ client_id, ...fields });
    const reply = await fetch(`${url}/oauth/token`, { method: 'POST', body });
    return { status: reply.status, body: (await reply.json()) as TokenAnswer };
  };
  const consent = async (authorization: string, changes: Changes = {}) => {
    const body = asked(changes);
    body.set('granted_scopes', '["read","send","organize"]');
    const reply = await fetch(`${url}/oauth/authorize`, { method: 'POST', headers: { authorization }, body });
    return { status: reply.status, body: (await reply.json()) as { redirect_to?: string } };
  };
  return {
    page: (changes: Changes) => fetch(`${url}/oauth/authorize?${asked(changes)}`, { redirect: 'manual' }),
    consent,
    codeFor: async (authorization: string, changes: Changes = {}) => {
      const { body } = await consent(authorization, changes);
      return URL.parse(body.redirect_to ?? '')?.searchParams.get('code') ?? null;
    },
    exchange: (code: string, proof = verifier) =>
      token({ grant_type: 'authorization_code', code, redirect_uri: HOME, code_verifier: proof }),
    renew: (refresh: string, scope = '') =>
      token({ grant_type: 'refresh_token', refresh_token: refresh, scope }),
  };
}
