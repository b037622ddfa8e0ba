import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from './report.ts';
import type { BenchClient, BenchService } from './service.ts';

/** How many callers come at the same moment. */
const CROWDS = [20, 100, 300, 1_000];
/** The fewest calls that a crowd makes, each caller one after another. */
const CALLS = 100;
const ACCOUNTS = 20;
/** The throughput of larger crowds in a second, as a share of that of the smallest. */
const THROUGHPUT_SHARE = 0.8;

const CHANNEL = 'storm';

interface Operation {
  name: string;
  method: string;
  path: string;
  params(caller: number, call: number): Record<string, unknown>;
  /** Each answer names a message that was sent. */
  sends?: true;
}

const operations: Operation[] = [
  { name: 'GET /users/me', method: 'GET', path: '/users/me', params: () => ({}) },
  {
    name: 'POST /messages',
    method: 'POST',
    path: '/messages',
    sends: true,
    params: (caller, call) => ({
      type: 'channel',
      to: CHANNEL,
      topic: 'news',
      content: `call ${call} of caller ${caller}`,
    }),
  },
  {
    name: 'GET /messages',
    method: 'GET',
    path: '/messages',
    params: () => ({ anchor: 'newest', num_before: 20, num_after: 0 }),
  },
  { name: 'POST /register', method: 'POST', path: '/register', params: () => ({}) },
];

/** The answers to a crowd. */
interface Outcome {
  perSecond: number;
  /** Calls that were asked to come back later, and did. */
  postponed: number;
  /** Answers of 500 and above, and connections that broke. */
  failed: number;
  answers: { id?: number }[];
}

/**
 * Crowds of callers come at once, repeatedly, and each returns after its Retry-After. No call may fail, none may be
 * lost, and a larger crowd may not have less throughput than a small one.
 */
export async function measureStorm(service: BenchService): Promise<Row[]> {
  const accounts = await gather(service);
  for (const operation of operations) await storm(accounts, operation, 1);
  const rows: Row[] = [];
  for (const operation of operations) {
    let usual = 0;
    for (const callers of CROWDS) {
      const outcome = await storm(accounts, operation, callers);
      usual ||= outcome.perSecond;
      const isKept = operation.sends !== true || (await areKept(service, outcome));
      rows.push(toRow(operation, callers, outcome, { usual, isKept }));
    }
  }
  return rows;
}

async function gather(service: BenchService): Promise<BenchClient[]> {
  const accounts: BenchClient[] = [];
  for (let n = 0; n < ACCOUNTS; n++)
    accounts.push(await service.createUser(`Caller${String.fromCharCode(97 + n)}`));
  const principals = [service.owner, ...accounts].map(({ userId }) => userId);
  await service.owner.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: CHANNEL }],
    principals,
  });
  await service.settle();
  return accounts;
}

async function storm(accounts: BenchClient[], operation: Operation, callers: number): Promise<Outcome> {
  const outcome: Outcome = { perSecond: 0, postponed: 0, failed: 0, answers: [] };
  const callsOfEach = Math.ceil(CALLS / callers);
  const callAll = async (caller: number): Promise<void> => {
    for (let call = 0; call < callsOfEach; call++) {
      const account = accounts[caller % accounts.length] as BenchClient;
      await callUntilDone(account, operation, operation.params(caller, call), outcome);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: callers }, (_, caller) => callAll(caller)));
  outcome.perSecond = outcome.answers.length / ((performance.now() - start) / 1000);
  return outcome;
}

async function callUntilDone(
  account: BenchClient,
  { method, path }: Operation,
  params: Record<string, unknown>,
  outcome: Outcome,
): Promise<void> {
  for (;;) {
    const { status, retryAfterSeconds, body } = await account.request(method, path, params);
    if (status === 200) return void outcome.answers.push(body);
    if (status !== 429) return void outcome.failed++;
    outcome.postponed++;
    await pause(retryAfterSeconds * 1000);
  }
}

/** Whether every acknowledged message exists once. */
async function areKept(service: BenchService, { answers }: Outcome): Promise<boolean> {
  const ids = new Set(answers.map(({ id }) => id as number));
  const params = { anchor: Math.min(...ids), num_before: 0, num_after: 2 * answers.length };
  const { messages } = await service.owner.call('GET', '/messages', params);
  const found = (messages as { id: number }[]).filter(({ id }) => ids.has(id));
  return ids.size === answers.length && found.length === answers.length && messages.length === found.length;
}

function toRow(
  { name }: Operation,
  callers: number,
  { perSecond, postponed, failed }: Outcome,
  { usual, isKept }: { usual: number; isKept: boolean },
): Row {
  const share = perSecond / usual;
  return {
    what: `${name}, ${callers} callers at once`,
    measured: `${share.toFixed(2)} × ${usual.toFixed(0)}/s, ${postponed} came back, ${failed} failed${isKept ? '' : ', some lost'}`,
    budget: `≥ ${THROUGHPUT_SHARE} ×, none failed or lost`,
    isMet: failed === 0 && isKept && share >= THROUGHPUT_SHARE,
  };
}
