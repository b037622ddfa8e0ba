import { type Attack, countStatuses, describeCost, failuresIn, harmOf } from './attack.ts';
import type { Caller, Target } from './target.ts';

const PROBE = 'hostile sender';
const FLOOD = 400;
const ALERTS = 2_000;
/** What one integration of a bot may send in a minute; a flood may meet two of them. */
const MESSAGES_A_MINUTE = 60;

type Post = (path: string, body: string, headers?: Record<string, string>) => Promise<{ status: number }>;

/** Senders of webhooks that know the address of a bot, and nothing else. */
export const hostileSenders: Attack = {
  name: 'hostile-senders',
  attempt: 'senders of webhooks flood a channel, and send what no one expects',
  async run(target) {
    const victim = await target.createMember();
    const post = posterTo(target);
    const replies: { status: number }[] = [];
    const achieved: string[] = [];
    const keep = async (sent: ReturnType<Post>) => void replies.push(await sent);

    const flooded = await channelOf(victim, 'flooded');
    const flooding = await botOf(victim);
    const cost = await target.watch(async () => {
      const alerts = { version: '4', status: 'firing', alerts: Array.from({ length: ALERTS }, alertOf) };
      await keep(post(`alertmanager?api_key=${flooding}&stream=${flooded}`, JSON.stringify(alerts)));
      const one = JSON.stringify({ text: PROBE });
      const path = `slack_incoming?api_key=${flooding}&stream=${flooded}&topic=flood`;
      await Promise.all(Array.from({ length: FLOOD }, () => keep(post(path, one))));
    });
    const flood = (await textsIn(victim, flooded)).length;
    if (flood === 0) achieved.push('(nothing was sent)');
    if (flood > 2 * MESSAGES_A_MINUTE + 20)
      achieved.push(`${flood} messages of ${FLOOD + ALERTS} in one channel`);

    const odd = await botOf(victim);
    const oddities = await target.watch(async () => {
      for (const body of ODD_BODIES)
        for (const slug of ['github', 'json', 'slack_incoming', 'alertmanager', 'custom'])
          await keep(post(`${slug}?api_key=${odd}&stream=${flooded}`, body, { 'x-github-event': 'issues' }));
    });
    return {
      seen: `${countStatuses(replies)}; ${flood} messages of a flood; ${describeCost(cost)}`,
      achieved: [...achieved, ...failuresIn(replies), ...harmOf(cost), ...harmOf(oddities)],
    };
  },
};

function posterTo({ url }: Target): Post {
  return async (path, body, headers = {}) => {
    const type = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/v1/external/${path}`, {
      method: 'POST',
      headers: { ...type, ...headers },
      body,
    });
    await response.arrayBuffer();
    return { status: response.status };
  };
}

let bots = 0;
async function botOf(owner: Caller): Promise<string> {
  const { body } = await owner.call('POST', '/bots', {
    full_name: `Webhook ${++bots}`,
    short_name: `webhook${bots}`,
    bot_type: 2,
  });
  if (body.result !== 'success') throw new Error(`No bot: ${body.msg}`);
  return body.api_key;
}

async function channelOf(caller: Caller, name: string): Promise<number> {
  await caller.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
  return (await caller.call('GET', '/get_stream_id', { stream: name })).body.stream_id;
}

async function textsIn(reader: Caller, channelId: number): Promise<string[]> {
  const { body } = await reader.call('GET', '/messages', {
    narrow: [{ operator: 'channel', operand: channelId }],
    anchor: 'newest',
    num_before: 1_000,
    num_after: 0,
  });
  return body.messages
    .filter(({ client }: { client: string }) => client.endsWith('Webhook'))
    .map(({ content }: { content: string }) => content);
}

const alertOf = (_: unknown, n: number) => ({
  status: 'firing',
  labels: { alertname: `alert ${n}` },
  annotations: { description: PROBE },
  generatorURL: 'https://example.com/',
  startsAt: '2026-11-01T00:00:00Z',
});

const DEPTH = 20_000;
const ODD_BODIES = [
  '',
  'null',
  '[]',
  '"text"',
  '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}',
  '{"text":{"toString":1}}',
  `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
  `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
  `{"text":"${'*_`['.repeat(20_000)}"}`,
  `{"text":"${'<a|'.repeat(50_000)}"}`,
  `{"text":"\\ud800","blocks":[{"type":"section","text":{"text":"\\u0000"}}]}`,
  JSON.stringify({
    text: 'x',
    attachments: Array.from({ length: 5_000 }, () => ({ text: 'x', fields: [] })),
  }),
  'x'.repeat(1_000_000),
];
