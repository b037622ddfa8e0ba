import { createHmac } from 'node:crypto';
import type { Sample } from '#tests/domain/integrations/sample.ts';
import { samplesOf } from '#tests/domain/integrations/samples.ts';
import { type Attack, countStatuses, describeCost, failuresIn, harmOf } from './attack.ts';
import type { Caller, Target } from './target.ts';

const SECRET = 'shared with the sender';
const ISSUE = JSON.stringify({
  action: 'opened',
  issue: {
    number: 1,
    title: 'A title',
    body: 'A text',
    html_url: 'https://github.com/a/b/1',
    user: { login: 'x' },
  },
  repository: { name: 'b', full_name: 'a/b', html_url: 'https://github.com/a/b', private: false },
  sender: { login: 'x', html_url: 'https://github.com/x' },
});
const PROBE = 'hostile sender';
const REPEATS = 10;
const FLOOD = 400;
/** Samples that must have been sent for the attack to mean something. */
const ENOUGH = 50;
const ALERTS = 2_000;
/** What one integration of a bot may send in a minute; a flood may meet two of them. */
const MESSAGES_A_MINUTE = 60;

type Post = (path: string, body: string, headers?: Record<string, string>) => Promise<{ status: number }>;

/** Senders of webhooks that know the address of a bot, and nothing else. */
export const hostileSenders: Attack = {
  name: 'hostile-senders',
  attempt:
    'senders of webhooks forge signatures, repeat deliveries, flood a channel, mention everyone, and send what no one expects',
  async run(target) {
    const victim = await target.createMember();
    const post = posterTo(target);
    const replies: { status: number }[] = [];
    const achieved: string[] = [];
    const keep = async (sent: ReturnType<Post>) => void replies.push(await sent);

    const forged = await channelOf(victim, 'forged');
    const signed = await botOf(victim, 'github', { webhook_secret: SECRET });
    const address = `github?api_key=${signed}&stream=${forged}`;
    for (const [query, headers] of forgeries()) await keep(post(address + query, ISSUE, headers));
    if ((await textsIn(victim, forged)).length > 0) achieved.push('a forged delivery was sent');

    const genuine = { ...SIGNED, 'x-github-delivery': 'the same' };
    await Promise.all(Array.from({ length: REPEATS }, () => keep(post(address, ISSUE, genuine))));
    const repeated = (await textsIn(victim, forged)).length;
    if (repeated !== 1) achieved.push(`a delivery that came ${REPEATS} times was sent ${repeated} times`);

    const named = await channelOf(victim, 'named');
    const { body: made } = await victim.call('POST', '/user_groups/create', {
      name: 'attacked',
      description: '',
      members: [victim.userId],
    });
    if (made.result !== 'success') throw new Error(made.msg);
    const key = await botOf(victim);
    const { body: own } = await victim.call('GET', '/users/me');
    for (const [slug, sample] of await allSamples())
      await keep(
        postSample(post, `${slug}?api_key=${key}&stream=${named}`, hostileVariant(sample, own.full_name)),
      );
    const mentions = await mentionsOf(victim);
    const naming = (await textsIn(victim, named)).length;
    if (naming < ENOUGH) achieved.push(`(only ${naming} samples were sent)`);
    if (mentions > 0) achieved.push(`${mentions} messages mention people`);

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
    if (flood > 2 * MESSAGES_A_MINUTE + 20)
      achieved.push(`${flood} messages of ${FLOOD + ALERTS} in one channel`);

    const odd = await botOf(victim);
    const oddities = await target.watch(async () => {
      for (const body of ODD_BODIES)
        for (const slug of ['github', 'json', 'slack_incoming', 'alertmanager', 'custom'])
          await keep(post(`${slug}?api_key=${odd}&stream=${flooded}`, body, { 'x-github-event': 'issues' }));
    });
    return {
      seen: `${countStatuses(replies)}; ${naming} messages that name people; ${flood} messages of a flood; ${describeCost(cost)}`,
      achieved: [...achieved, ...failuresIn(replies), ...harmOf(cost), ...harmOf(oddities)],
    };
  },
};

const sha256 = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const EVENT = { 'x-github-event': 'issues' };
const SIGNED = { ...EVENT, 'x-hub-signature-256': sha256(SECRET, ISSUE) };

/** Deliveries that the sender did not sign: more of the address, and headers. */
const forgeries = (): [query: string, headers: Record<string, string>][] => [
  ['', EVENT],
  ['', { ...EVENT, 'x-hub-signature-256': '' }],
  ['', { ...EVENT, 'x-hub-signature-256': 'sha256=' }],
  ['', { ...EVENT, 'x-hub-signature-256': sha256('', ISSUE) }],
  ['', { ...EVENT, 'x-hub-signature-256': sha256(SECRET, `${ISSUE} `) }],
  ['', { ...EVENT, 'x-hub-signature-256': sha256(SECRET, ISSUE).slice(7) }],
  ['', { ...EVENT, 'x-hub-signature-256': sha256(SECRET, ISSUE).slice(0, -1) }],
  ['', { ...EVENT, 'x-hub-signature': sha256(SECRET, ISSUE) }],
  // A secret in the address comes beside that of the bot, and not in its place.
  ['&webhook_secret=mine', { ...EVENT, 'x-hub-signature-256': sha256('mine', ISSUE) }],
  ['&webhook_secret=', SIGNED],
  ['&webhook_secret=', EVENT],
];

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
async function botOf(owner: Caller, integration?: string, configuration = {}): Promise<string> {
  const { body } = await owner.call('POST', '/bots', {
    full_name: `Webhook ${++bots}`,
    short_name: `webhook${bots}`,
    bot_type: 2,
    ...(integration !== undefined && { service_name: integration, config_data: configuration }),
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

async function mentionsOf(reader: Caller): Promise<number> {
  const { body } = await reader.call('GET', '/messages', {
    narrow: [{ operator: 'is', operand: 'mentioned' }],
    anchor: 'newest',
    num_before: 1_000,
    num_after: 0,
  });
  return body.messages.length;
}

/** Two samples of each integration. */
async function allSamples(): Promise<[slug: string, sample: Sample][]> {
  const all: [string, Sample][] = [];
  for (const [slug, load] of Object.entries(samplesOf))
    for (const sample of (await load()).samples.slice(0, 2)) all.push([slug, sample]);
  return all;
}

/** Fields that people fill with words; others name events and states. */
const FREE =
  /^(?:title|text|body|message|description|summary|subject|content|comment|displayName|login|full_?name)$/i;

/** The sample with mentions in each of its texts. */
function hostileVariant(sample: Sample, name: string): Sample {
  const hostile = ` @**all** @**topic** @*attacked* @**${name}** @all <!channel>\n~~~\n@**${name}**`;
  const changed = (value: unknown, field = ''): unknown => {
    if (typeof value === 'string') return FREE.test(field) || value.includes(' ') ? value + hostile : value;
    if (Array.isArray(value)) return value.map((one) => changed(one, field));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, changed(one, key)]));
  };
  const form = sample.form && (changed(sample.form) as Record<string, string>);
  return { ...sample, payload: changed(sample.payload), ...(form && { form }) };
}

function postSample(post: Post, path: string, { headers, query = {}, form, text, payload }: Sample) {
  const more = Object.entries(query).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
  const type = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const body = form ? new URLSearchParams(form).toString() : (text ?? JSON.stringify(payload));
  return post(path + more.join(''), body, { ...type, ...headers });
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
