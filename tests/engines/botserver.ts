import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readCommandLine } from '#infra/command-line.ts';
import { type Service, startService } from '#infra/local/start.ts';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import { findFreePort } from '#tests/harness/wire-engine/child-process.ts';
import { ROOT } from '#tests/infra/root.ts';
import { isInstalled, mustRun, skip, startServer } from './background-server.ts';

const HELP = `Usage: npm run test:botserver

Has the bot server of the protocol (zulip_botserver) run three of its bundled bots as outgoing webhook bots of the local
service, and writes to them. It is fetched once from PyPI. Needs Python 3 with venv.

Options:
  --help  print this text

Example:
  npm run test:botserver`;

readCommandLine(HELP);

const VERSION = '0.9.1';
const FOLDER = join(ROOT, `node_modules/.cache/zulip-botserver-${VERSION}`);
const SERVER = join(FOLDER, 'bin/zulip-botserver');
// Later versions of setuptools lack a module that the bot server loads.
const PACKAGES = [
  ...['zulip', 'zulip-bots', 'zulip-botserver'].map((name) => `${name}==${VERSION}`),
  'setuptools==80.9.0',
];
const ANSWER_ATTEMPTS = 60;
const PAUSE_MS = 500;

/** The text sent to each bot, and its answer. */
const DIALOGUES = [
  { bot: 'helloworld', said: 'hi', answers: ['beep boop'] },
  { bot: 'converter', said: '12 celsius fahrenheit', answers: ['12 celsius = 53.600054 fahrenheit'] },
  { bot: 'incrementor', said: 'more', answers: ['1'] },
] as const;

interface Account {
  email: string;
  apiKey: string;
}

/** One call of an account. @throws unless it succeeds */
async function call(
  { url }: Service,
  { email, apiKey }: Account,
  method: string,
  path: string,
  params: Record<string, unknown> = {},
) {
  const form = new URLSearchParams(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const isGet = method === 'GET';
  const response = await fetch(`${url}/api/v1${path}${isGet ? `?${form}` : ''}`, {
    method,
    headers: { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` },
    ...(!isGet && { body: form }),
  });
  const body = await response.json();
  if (body.result !== 'success') throw new Error(`${method} ${path}: ${body.msg}`);
  return body;
}

interface Bot extends Account {
  name: string;
  userId: number;
  token: string;
}

async function createBot(service: Service, name: string, url: string): Promise<Bot> {
  const owner = service.owner;
  const { user_id: userId, api_key: apiKey } = await call(service, owner, 'POST', '/bots', {
    full_name: name,
    short_name: name,
    bot_type: 3,
    payload_url: JSON.stringify(url),
  });
  const { realm_bots: bots, realm_users: users } = await call(service, owner, 'POST', '/register', {
    fetch_event_types: ['realm_bot', 'realm_user'],
  });
  const isBot = ({ user_id }: { user_id: number }) => user_id === userId;
  return { name, userId, apiKey, email: users.find(isBot).email, token: bots.find(isBot).services[0].token };
}

/** The file by which the bot server knows its bots. */
const describeBots = (site: string, bots: Bot[]): string =>
  bots
    .map(({ name, email, apiKey, token }) =>
      [`[${name}]`, `email=${email}`, `key=${apiKey}`, `site=${site}`, `token=${token}`, ''].join('\n'),
    )
    .join('\n');

/** The newest texts of a bot in a conversation, or of a channel. */
async function textsOf(service: Service, bot: Bot, narrow: object[]): Promise<string[]> {
  const { messages } = await call(service, service.owner, 'GET', '/messages', {
    narrow,
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    apply_markdown: false,
  });
  return messages
    .filter(({ sender_id }: { sender_id: number }) => sender_id === bot.userId)
    .map(({ content }: { content: string }) => content);
}

/** @throws unless the bot answers */
async function expectAnswers(
  service: Service,
  bot: Bot,
  narrow: object[],
  answers: readonly string[],
): Promise<void> {
  let texts: string[] = [];
  for (let attempt = 0; attempt < ANSWER_ATTEMPTS; attempt++) {
    texts = await textsOf(service, bot, narrow);
    if (JSON.stringify(texts) === JSON.stringify(answers)) return;
    await pause(PAUSE_MS);
  }
  throw new Error(`${bot.name} answers ${JSON.stringify(texts)} in place of ${JSON.stringify(answers)}`);
}

async function converse(service: Service, bots: Bot[]): Promise<void> {
  const channel = 'bots';
  await call(service, service.owner, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: channel }],
  });
  for (const { bot: name, said, answers } of DIALOGUES) {
    const bot = bots.find((one) => one.name === name);
    if (!bot) throw new Error(`There is no bot ${name}`);
    await call(service, service.owner, 'POST', '/messages', {
      type: 'direct',
      to: [bot.userId],
      content: said,
    });
    await expectAnswers(service, bot, [{ operator: 'dm', operand: [bot.userId] }], answers);
    console.log(`${name} answers in a conversation: ${answers.join(', ')}`);
    if (name === 'incrementor') continue;
    const place = { type: 'channel', to: channel, topic: name };
    await call(service, service.owner, 'POST', '/messages', { ...place, content: `@**${name}** ${said}` });
    const narrow = [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: name },
    ];
    await expectAnswers(service, bot, narrow, answers);
    console.log(`${name} answers a mention: ${answers.join(', ')}`);
  }
  // The bot keeps its number in the storage of bots, and edits its first answer.
  const incrementor = bots.find(({ name }) => name === 'incrementor');
  if (!incrementor) throw new Error('There is no bot incrementor');
  const to = [incrementor.userId];
  await call(service, service.owner, 'POST', '/messages', { type: 'direct', to, content: 'more' });
  await expectAnswers(service, incrementor, [{ operator: 'dm', operand: to }], ['2']);
  console.log('incrementor edits its answer: 2');
}

if (!existsSync(SERVER) && !isInstalled('python3', '--version'))
  skip(
    `the bundled bots of zulip_botserver ${VERSION}.`,
    'They need Python 3 with venv: `python3` is not there.',
  );
else {
  if (!existsSync(SERVER)) {
    await mustRun('python3', ['-m', 'venv', FOLDER]);
    await mustRun(join(FOLDER, 'bin/pip'), ['install', '--quiet', ...PACKAGES]);
  }
  const port = await findFreePort();
  const host = `127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), 'botserver-'));
  const service = await startService({ port: 0, config: { openings: readOpenings(host) } });
  try {
    const bots: Bot[] = [];
    for (const { bot } of DIALOGUES) bots.push(await createBot(service, bot, `http://${host}/`));
    const file = join(folder, 'botserverrc');
    await writeFile(file, describeBots(service.url, bots), { mode: 0o600 });
    const server = await startServer(SERVER, () => ['--config-file', file, '--port', String(port)], port);
    try {
      await converse(service, bots);
    } finally {
      await server.stop();
    }
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}
