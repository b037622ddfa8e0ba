import type { Attack } from './attack.ts';
import type { Caller, Target } from './target.ts';

type Call = [method: string, path: string, params: Record<string, unknown>];

/** Calls that lead from any token to more than it has. */
const ESCALATIONS: Call[] = [
  ['POST', '/users/me/tokens', { name: 'More', scopes: '["read","send","organize"]' }],
  ['POST', '/users/me/api_key/regenerate', {}],
  ['PATCH', '/settings', { old_password: 'x', new_password: 'a much longer password' }],
  ['PATCH', '/settings', { email: 'thief@example.com' }],
  ['GET', '/bots', {}],
  ['POST', '/bots', { full_name: 'Thief', short_name: 'thief' }],
  ['POST', '/invites/multiuse', {}],
  ['POST', '/mobile_push/register', {}],
  ['DELETE', '/session', {}],
  ['DELETE', '/users/me', {}],
  ['POST', '/export/realm', {}],
];
/** Calls that write, which a token to read must not do. */
const WRITES: Call[] = [
  ['POST', '/messages', { type: 'channel', to: '"general"', topic: 'x', content: 'x' }],
  ['POST', '/drafts', { drafts: '[]' }],
  ['POST', '/messages/flags', { messages: '[1]', op: 'add', flag: 'read' }],
  ['POST', '/users/me/subscriptions', { subscriptions: '[{"name":"thieves"}]' }],
  ['POST', '/users/me/status', { status_text: 'x' }],
  ['POST', '/scheduled_messages', {}],
];

/** The rights of a stolen token: one to read, and one that is limited to a channel. */
export const stolenTokens: Attack = {
  name: 'stolen-tokens',
  attempt:
    'a stolen API token tries to write, to read elsewhere, to become another token, and to outlive its end',
  async run(target) {
    const [victim, friend] = [await target.createMember(), await target.createMember()];
    const [open, secret] = [await channelOf(victim, 'attacked'), await channelOf(victim, 'secret plans')];
    await friend.call('POST', '/users/me/subscriptions', { subscriptions: '[{"name":"attacked"}]' });
    await victim.call('POST', '/messages', {
      type: 'channel',
      to: secret,
      topic: 'plans',
      content: 'hidden walrus',
    });
    await victim.call('POST', '/messages', {
      type: 'direct',
      to: `[${friend.userId}]`,
      content: 'hidden walrus',
    });
    const reader = await tokenOf(victim, ['read']);
    const limited = await tokenOf(victim, ['read', 'send', 'organize'], [open]);
    const achieved: string[] = [];
    let tried = 0;
    const attempt = async (token: string, [method, path, params]: Call, isBad: (text: string) => boolean) => {
      tried++;
      const { status, text } = await callWith(target, token, method, path, params);
      if (status >= 500 || (status < 400 && isBad(text))) achieved.push(`${method} ${path}: ${status}`);
    };
    const any = () => true;
    const isHidden = (text: string) => text.includes('hidden walrus') || text.includes('secret plans');
    for (const call of [...ESCALATIONS, ...WRITES]) await attempt(reader, call, any);
    for (const call of ESCALATIONS) await attempt(limited, call, any);
    for (const call of elsewhere(secret, friend.userId)) await attempt(limited, call, isHidden);
    for (const [token, tool] of [
      [reader, { name: 'send_message', arguments: { people: [friend.userId], content: 'x' } }],
      [limited, { name: 'search_messages', arguments: { text: 'walrus' } }],
      [limited, { name: 'send_message', arguments: { people: [friend.userId], content: 'x' } }],
    ] as const) {
      tried++;
      const answer = await useTool(target, token, tool);
      if (answer.includes('"id":') && answer.includes('"isError":false') && tool.name === 'send_message')
        achieved.push(`${tool.name} was sent`);
      if (isHidden(answer)) achieved.push(`${tool.name} found messages of other channels`);
    }
    for (const forged of forgeriesOf(reader)) await attempt(forged, ['GET', '/users/me', {}], any);
    await victim.call('DELETE', `/users/me/tokens/${reader.split('_')[2]}`);
    await attempt(reader, ['GET', '/users/me', {}], any);
    return { seen: `${tried} attempts`, achieved };
  },
};

const elsewhere = (secret: number, friendId: number): Call[] => [
  ['GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0 }],
  ['GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow: '[["is","dm"]]' }],
  ['GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow: '[["search","walrus"]]' }],
  ['GET', `/streams/${secret}`, {}],
  ['GET', `/users/me/${secret}/topics`, {}],
  ['GET', '/streams', {}],
  ['GET', '/users/me/subscriptions', {}],
  ['GET', '/drafts', {}],
  ['POST', '/register', {}],
  [
    'POST',
    '/register',
    { fetch_event_types: '["subscription","update_message_flags","recent_private_conversations"]' },
  ],
  ['POST', '/messages', { type: 'channel', to: secret, topic: 'x', content: 'hidden walrus' }],
  ['POST', '/messages', { type: 'direct', to: `[${friendId}]`, content: 'hidden walrus' }],
];

const forgeriesOf = (token: string): string[] => {
  const [kind, userId, tokenId, ...secret] = token.split('_');
  const rest = secret.join('_');
  return [
    [kind, 1, tokenId, rest].join('_'),
    [kind, userId, Number(tokenId) + 1, rest].join('_'),
    ['tcr', userId, tokenId, rest].join('_'),
    token.slice(0, -1),
    token.toUpperCase(),
  ];
};

async function channelOf(caller: Caller, name: string): Promise<number> {
  const subscriptions = JSON.stringify([{ name }]);
  await caller.call('POST', '/users/me/subscriptions', { subscriptions, invite_only: name !== 'attacked' });
  const { body } = await caller.call('GET', '/get_stream_id', { stream: name });
  return body.stream_id;
}

async function tokenOf(caller: Caller, scopes: string[], channels?: number[]): Promise<string> {
  const params = {
    name: 'Token',
    scopes: JSON.stringify(scopes),
    ...(channels && { channels: JSON.stringify(channels) }),
  };
  const { status, body } = await caller.call('POST', '/users/me/tokens', params);
  if (status !== 200) throw new Error(`A token could not be made: ${body.msg}`);
  return body.token;
}

async function callWith(
  { url }: Target,
  token: string,
  method: string,
  path: string,
  params: Record<string, unknown>,
): Promise<{ status: number; text: string }> {
  const form = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const isQuery = method === 'GET';
  const response = await fetch(`${url}/api/v1${path}${isQuery ? `?${form}` : ''}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(!isQuery && { body: form }),
  });
  return { status: response.status, text: await response.text() };
}

async function useTool({ url }: Target, token: string, params: object): Promise<string> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return response.text();
}
