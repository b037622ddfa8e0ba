import { isDeepStrictEqual } from 'node:util';
import { createChannel } from '#functions/channels/create-channel.ts';
import { subscribe } from '#functions/channels/subscribe.ts';
import { createDrafts } from '#functions/drafts/create-drafts.ts';
import { sendMessage } from '#functions/messages/send-message.ts';
import { createScheduledMessage } from '#functions/scheduled-messages/create-scheduled-message.ts';
import { answerOnce } from '#shared/api/answer-once.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { DeclaredError } from '#shared/domain/errors.ts';
import { type Account, roles } from '#shared/domain/users/user.ts';
import type { Retry } from '#shared/log/commit.ts';
import { listChannels } from '#shared/store/channels/channels.ts';
import { listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import { listDrafts } from '#shared/store/drafts.ts';
import { listEntries, readCounter, readLowWaterMark } from '#shared/store/log/log.ts';
import { listScheduledOf } from '#shared/store/scheduled-messages.ts';
import type { Table } from '#shared/table/table.ts';
import { preload } from '#tests/simulation/preload.ts';
import type { Outcome } from '#tests/simulation/process.ts';
import { Simulation } from '#tests/simulation/simulation.ts';
import { RecordedTable } from '#tests/simulation/tables/recorded-table.ts';
import { contextOf, type Defect, World } from '#tests/simulation/world.ts';
import { valuesOf } from './requests.ts';

interface RetryingRun {
  seed: number;
  /** Makes the table of every process defective. */
  defect?: Defect;
}

/** The request of one client under one key. */
interface Wish {
  caller: Account;
  /** The key; no other wish speaks of it. */
  label: string;
  operation: AnyEndpoint;
  params: Record<string, unknown>;
  /** The expected answer for each time that it succeeded. */
  answersOf: (remains: Remains) => object[];
  /** Every answer that the client got; none of them should be a refusal. */
  answers: object[];
}

type Kind = Pick<Wish, 'operation' | 'params' | 'answersOf'>;

/** The state when nothing moves any more. */
interface Remains {
  messages: { content: string; answer: object }[];
  scheduled: { content: string; answer: object }[];
  drafts: { content: string; answer: object }[];
  channels: { channelId: number; name: string }[];
  /** How often each person came to each channel. */
  arrivals: { userId: number; channelId: number; count: number }[];
}

const WISHES = [3, 6] as const;
/** Sometimes a client repeats an answered request, or sends it twice at the same time. */
const SHARE_AGAIN = 0.3;
const MAX_ATTEMPTS = 60;
const MAX_STEPS = 30_000;
/** More channels than one transaction has room for. */
const MANY_CHANNELS = 30;

/**
 * Clients that send each request until it is answered, always under the same key, while processes crash and replies
 * get lost. Reports everything that did not happen exactly once, and the number of attempts.
 */
export async function runRetrying(run: RetryingRun): Promise<{ violations: string[]; attempts: number }> {
  const { seed, defect } = run;
  await preload();
  const simulation = new Simulation({ seed, maxSteps: MAX_STEPS });
  const table = await RecordedTable.create(simulation);
  const world = new World({ simulation, table, defect });
  await world.found();
  const firstPosition = (await readLowWaterMark(table)) + 1;
  const retriers = new Retriers(world);
  await simulation.run(retriers.live());
  const remains = await observe(table, world.people, firstPosition);
  return { violations: retriers.wishes.flatMap((wish) => judge(wish, remains)), attempts: retriers.attempts };
}

class Retriers {
  readonly wishes: Wish[] = [];
  attempts = 0;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Every user wishes for several things at the same time. */
  async live(): Promise<void> {
    const { people, random } = this.#world;
    await Promise.all(
      people.flatMap((caller) =>
        Array.from({ length: random.between(...WISHES) }, () => this.#fulfil(this.#invent(caller))),
      ),
    );
  }

  #invent(caller: Account): Wish {
    const { random, simulation } = this.#world;
    const label = `wish ${this.wishes.length}`;
    const laterSeconds = Math.floor(simulation.nowMs / 1000) + 100_000;
    const kinds = [messageKind, messageKind, scheduledKind(laterSeconds), draftKind];
    const channelKinds = [fewChannelsKind, manyChannelsKind, newChannelKind];
    const kind = random.pick(caller.role === roles.guest ? kinds : [...kinds, ...channelKinds]);
    const wish = { caller, label, ...kind(label, caller), answers: [] };
    this.wishes.push(wish);
    return wish;
  }

  async #fulfil(wish: Wish): Promise<void> {
    const { random } = this.#world;
    const devices = random.chance(SHARE_AGAIN) ? [1, 2] : [1];
    await Promise.all(devices.map(() => this.#insist(wish)));
    if (random.chance(SHARE_AGAIN)) await this.#insist(wish);
  }

  async #insist(wish: Wish): Promise<void> {
    for (let n = 0; n < MAX_ATTEMPTS; n++) {
      await this.#world.wait(this.#world.random.between(0, 300));
      this.attempts++;
      const outcome = await this.#request(wish);
      const isRefusal = outcome.kind === 'failed' && outcome.failure instanceof DeclaredError;
      if (outcome.kind === 'done' || isRefusal)
        return void wish.answers.push(outcome.kind === 'done' ? outcome.value : { refusal: outcome.failure });
    }
    throw new Error(`${wish.label} was never answered`);
  }

  /** In a process of its own, as its Lambda would. */
  #request({ caller, label, operation, params }: Wish): Promise<Outcome<object>> {
    const { route } = operation;
    const values = valuesOf(operation, params);
    return this.#world.invoke(`${caller.fullName} ${label}`, async (services) => {
      const texts = { path: new Map(), body: new Map(), query: new Map() };
      const { userId } = caller;
      const secret = `the key of ${userId}`;
      const call = { services, userId, secret, route, key: label, params: values, texts };
      const handle = (retry: Retry): Promise<object> =>
        operation.handle(values, { ...contextOf(services, { ...caller }), retry });
      return (await answerOnce({ ...call, ignored: [], files: [] }, handle)).fields;
    });
  }
}

const toThemselves = (content: string, { userId }: Account) => ({ type: 'direct', to: [userId], content });
/** The reply to the sender of a message to themselves. */
function answerOf(senderId: number, id: number): object {
  const address = `http://localhost/#narrow/dm/${senderId}-dm/near/${id}`;
  return { id, message_url: address, message_link: address };
}
const answersFor = (all: { content: string; answer: object }[], label: string): object[] =>
  all.filter(({ content }) => content === label).map(({ answer }) => answer);

const messageKind = (label: string, caller: Account): Kind => ({
  operation: sendMessage,
  params: toThemselves(label, caller),
  answersOf: ({ messages }) => answersFor(messages, label),
});

const scheduledKind =
  (atSeconds: number) =>
  (label: string, caller: Account): Kind => ({
    operation: createScheduledMessage,
    params: { ...toThemselves(label, caller), scheduled_delivery_timestamp: atSeconds },
    answersOf: ({ scheduled }) => answersFor(scheduled, label),
  });

const draftKind = (label: string): Kind => ({
  operation: createDrafts,
  params: { drafts: [{ type: '', to: [], topic: '', content: label }] },
  answersOf: ({ drafts }) => answersFor(drafts, label),
});

const subscribeKind =
  (count: number) =>
  (label: string, { userId }: Account): Kind => {
    const names = Array.from({ length: count }, (_, n) => `${label} ${n}`);
    return {
      operation: subscribe,
      params: { subscriptions: names.map((name) => ({ name })) },
      answersOf: (remains) =>
        names.every((name) => isOnceIn(remains, name, userId))
          ? [
              {
                subscribed: { [userId]: names },
                already_subscribed: {},
                new_subscription_messages_sent: true,
              },
            ]
          : [],
    };
  };
const fewChannelsKind = subscribeKind(1);
const manyChannelsKind = subscribeKind(MANY_CHANNELS);

const newChannelKind = (label: string, { userId }: Account): Kind => ({
  operation: createChannel,
  params: { name: label, subscribers: [userId] },
  answersOf: (remains) =>
    remains.channels
      .filter(({ name }) => name === label && isOnceIn(remains, name, userId))
      .map(({ channelId }) => ({ id: channelId })),
});

/** Whether there is one channel of that name, to which the user came once. */
function isOnceIn({ channels, arrivals }: Remains, wanted: string, wantedId: number): boolean {
  const ids = channels.filter(({ name }) => name === wanted).map(({ channelId }) => channelId);
  const theirs = arrivals.filter(({ userId, channelId }) => userId === wantedId && ids.includes(channelId));
  return ids.length === 1 && theirs.length === 1 && theirs[0]?.count === 1;
}

async function observe(table: Table, people: Account[], firstPosition: number): Promise<Remains> {
  const log = await listEntries(table, firstPosition, await readCounter(table));
  const userIds = people.map(({ userId }) => userId);
  const ofAll = async <One>(list: (userId: number) => Promise<One[]>): Promise<One[]> =>
    (await Promise.all(userIds.map(list))).flat();
  const scheduled = await ofAll(async (userId) => (await listScheduledOf(table, userId)).messages);
  const drafts = await ofAll((userId) => listDrafts(table, userId));
  const subscriptions = await ofAll((userId) => listSubscriptions(table, userId));
  return {
    messages: log.flatMap(({ position, message }) =>
      message ? [{ content: message.content, answer: answerOf(message.senderId, position) }] : [],
    ),
    scheduled: scheduled.map(({ content, scheduledMessageId }) => ({
      content,
      answer: { scheduled_message_id: scheduledMessageId },
    })),
    drafts: drafts.map(({ content, draftId }) => ({ content, answer: { ids: [draftId] } })),
    channels: await listChannels(table),
    arrivals: subscriptions.map(({ userId, channelId, intervals }) => ({
      userId,
      channelId,
      count: intervals.length,
    })),
  };
}

/** It succeeded once, and every caller got that result. */
function judge({ label, operation, answers, answersOf }: Wish, remains: Remains): string[] {
  const right = answersOf(remains);
  const isRight = right.length === 1 && answers.every((answer) => isDeepStrictEqual(answer, right[0]));
  if (isRight && answers.length > 0) return [];
  return [`${operation.route} as ${label}: ${JSON.stringify(answers)} instead of ${JSON.stringify(right)}`];
}
