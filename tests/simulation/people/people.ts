import { subscribe } from '#functions/channels/subscribe.ts';
import { unsubscribe } from '#functions/channels/unsubscribe.ts';
import { deleteQueue } from '#functions/events/delete-queue.ts';
import { getEvents } from '#functions/events/get-events.ts';
import { registerQueue } from '#functions/events/register-queue.ts';
import { sendMessage } from '#functions/messages/send-message.ts';
import { createScheduledMessage } from '#functions/scheduled-messages/create-scheduled-message.ts';
import { deleteScheduledMessage } from '#functions/scheduled-messages/delete-scheduled-message.ts';
import { editScheduledMessage } from '#functions/scheduled-messages/edit-scheduled-message.ts';
import { setTyping } from '#functions/typing/set-typing.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { Parameters } from '#shared/api/parameters.ts';
import { BadEventQueueId, InvalidApiKey, UserDeactivated } from '#shared/domain/errors.ts';
import { type Account, roles } from '#shared/domain/users/user.ts';
import { callThroughEdge, isAtTheEdge } from '#tests/simulation/services/edge.ts';
import { contextOf, type Operation, type World } from '#tests/simulation/world.ts';
import {
  end,
  type Journal,
  type Listener,
  type ReceivedEvent,
  type Scheduling,
  type Verdict,
  type Wishes,
} from './journal.ts';
import { wasExtendedInTime } from './late-extension.ts';
import { toRegister, valuesOf } from './requests.ts';

/** Channels are public unless their name says otherwise. */
export const channelNames = ['town', 'square', 'private-club'];

const SHARE_SHORT_LIVED = 0.25;

/** The actions of people on the service, each through a client that returns nothing but the result of a request. */
export class People {
  readonly #world: World;
  readonly #journal: Journal;
  readonly #channelIds = new Map<string, number>();

  constructor(world: World, journal: Journal) {
    this.#world = world;
    this.#journal = journal;
  }

  /** The owner makes the channels and takes the others along. Nothing goes wrong yet. */
  async createChannels(): Promise<void> {
    const { people, random } = this.#world;
    const context = contextOf(this.#world.services(), this.#owner);
    for (const name of channelNames) {
      const principals = people.filter((_one, index) => index === 0 || random.chance(0.6));
      const settings = {
        invite_only: name.startsWith('private'),
        principals: principals.map(({ userId }) => userId),
      };
      const params = valuesOf(subscribe, { subscriptions: [{ name }], ...settings });
      await subscribe.handle(params, context);
      this.#channelIds.set(name, this.#channelIds.size + 1);
    }
  }

  get #owner(): Account {
    return this.#world.people[0] as Account;
  }

  /** Returns the result of the last of them. */
  async sendMessages(sender: Account, count: number): Promise<Verdict | undefined> {
    let last: Verdict | undefined;
    for (let n = 0; n < count; n++) {
      await this.#hesitate();
      const content = this.#journal.label('Message');
      const outcome = await this.#request(sender, sendMessage, { ...this.#place(), content });
      const verdict = this.#journal.verdict('Sending', outcome);
      const messageId = outcome.kind === 'done' ? outcome.value.id : undefined;
      this.#journal.sendings.push({ content, verdict, ...(messageId !== undefined && { messageId }) });
      last = verdict;
    }
    return last;
  }

  /** Begins to type to others, and stops. */
  async type(sender: Account, count: number): Promise<void> {
    const { random, people } = this.#world;
    for (let n = 0; n < count; n++) {
      await this.#hesitate();
      const op = random.pick(['start', 'stop', 'stop', 'stop']);
      const outcome = await this.#request(sender, setTyping, { op, to: [random.pick(people).userId] });
      this.#journal.verdict('Typing', outcome);
    }
  }

  /** Comes into channels and leaves them, and as the owner takes others in and out. */
  async changeSubscriptions(caller: Account, count: number): Promise<void> {
    const { random, people } = this.#world;
    for (let n = 0; n < count; n++) {
      await this.#hesitate();
      const name = random.pick(channelNames);
      const others = caller === this.#owner ? [random.pick(people.slice(1)).userId] : undefined;
      const principals = others && { principals: others };
      const outcome = random.chance(0.5)
        ? await this.#request(caller, subscribe, { subscriptions: [{ name }], ...principals })
        : await this.#request(caller, unsubscribe, { subscriptions: [name], ...principals });
      this.#journal.verdict('Changing subscriptions', outcome);
    }
  }

  /** Schedules messages a few seconds ahead, and changes or deletes some of them again. */
  async scheduleMessages(sender: Account, count: number): Promise<void> {
    const { random } = this.#world;
    for (let n = 0; n < count; n++) {
      await this.#hesitate();
      const contents = [this.#journal.label('Scheduled')];
      const dueSeconds = [this.#seconds() + random.between(1, 3)];
      const outcome = await this.#request(sender, createScheduledMessage, {
        ...this.#place(),
        content: contents[0],
        scheduled_delivery_timestamp: dueSeconds[0],
      });
      const verdict = this.#journal.verdict('Scheduling', outcome);
      const scheduling = { userId: sender.userId, verdict, contents, dueSeconds, acknowledged: 0 };
      this.#journal.schedulings.push(scheduling);
      if (outcome.kind !== 'done') continue;
      Object.assign(scheduling, { scheduledMessageId: outcome.value.scheduled_message_id });
      if (random.chance(0.4)) await this.#edit(sender, scheduling, outcome.value.scheduled_message_id);
      if (random.chance(0.25)) await this.#delete(sender, scheduling, outcome.value.scheduled_message_id);
    }
  }

  async #edit(
    sender: Account,
    scheduling: Pick<Scheduling, 'contents' | 'dueSeconds' | 'acknowledged'>,
    id: number,
  ): Promise<void> {
    await this.#hesitate();
    const content = this.#journal.label('Rescheduled');
    const index = scheduling.contents.push(content) - 1;
    const dueSeconds = this.#seconds() + this.#world.random.between(1, 2);
    scheduling.dueSeconds.push(dueSeconds);
    const outcome = await this.#request(sender, editScheduledMessage, {
      scheduled_message_id: id,
      content,
      scheduled_delivery_timestamp: dueSeconds,
    });
    if (this.#journal.verdict('Rescheduling', outcome) === 'acknowledged') scheduling.acknowledged = index;
  }

  async #delete(sender: Account, scheduling: object, id: number): Promise<void> {
    await this.#hesitate();
    const outcome = await this.#request(sender, deleteScheduledMessage, { scheduled_message_id: id });
    Object.assign(scheduling, { deletion: this.#journal.verdict('Unscheduling', outcome) });
  }

  /** Registers a queue, again and again until it has one. */
  async register(account: Account, wishes: Wishes): Promise<Listener> {
    for (;;) {
      const polledAtMs = this.#world.simulation.nowMs;
      const outcome = await this.#request(account, registerQueue, toRegister(wishes));
      if (this.#journal.verdict('Registering', outcome) === 'refused')
        throw new Error(`Registering was refused: ${JSON.stringify(outcome)}`);
      if (outcome.kind === 'done') return this.listenTo(account, wishes, outcome.value, polledAtMs);
    }
  }

  /** The queue in a reply of register. */
  listenTo(
    account: Account,
    wishes: Wishes,
    snapshot: Listener['snapshot'],
    polledAtMs = this.#world.simulation.nowMs,
  ): Listener {
    const { last_event_id: lastEventId } = snapshot;
    const queueId = String(snapshot.queue_id);
    const { hasShortSnapshots: isShort } = this.#world;
    const beginning = { lastEventId, events: [], hasLeft: false, polledAtMs };
    const listener = { account, wishes, snapshot, queueId, isShort, ...beginning };
    this.#journal.listeners.push(listener);
    return listener;
  }

  /** The whole current reply of register for a client. */
  async snapshot({ account, wishes }: Listener): Promise<Record<string, unknown>> {
    const context = contextOf(this.#world.servicesWithRoom(), account);
    return registerQueue.handle(valuesOf(registerQueue, toRegister(wishes)), context);
  }

  /** Polls until the end, or until it leaves. Sometimes a reply does not arrive, or it works through a part of it only, or two polls are under way. */
  async listen(listener: Listener, isOver: () => boolean): Promise<void> {
    const { random } = this.#world;
    while (!isOver()) {
      if (random.chance(0.01)) return this.#leave(listener);
      const polls = Array.from({ length: random.chance(0.1) ? 2 : 1 }, () => this.poll(listener, false));
      const replies = await Promise.all(polls);
      if (random.chance(0.1)) continue;
      const events = replies[random.between(0, replies.length - 1)];
      if (!events || listener.hasLeft) return;
      receive(listener, random.chance(0.4) ? events.slice(0, random.between(0, events.length)) : events);
    }
  }

  /** The events of one poll, undefined when the queue is gone. */
  async poll(listener: Listener, isLast: boolean): Promise<ReceivedEvent[] | undefined> {
    const startMs = this.#world.simulation.nowMs;
    // With two simultaneous polls, one may have begun in time.
    const wasExpired =
      listener.expiredAtMs !== undefined && !(await wasExtendedInTime(this.#world, listener));
    const outcome = await this.#request(listener.account, getEvents, {
      queue_id: listener.queueId,
      last_event_id: listener.lastEventId,
      dont_block: isLast || this.#world.random.chance(0.2),
    });
    if (outcome.kind === 'failed' && outcome.failure instanceof InvalidApiKey) {
      await this.#world.renewKey(listener.account);
      return this.poll(listener, isLast);
    }
    const isGone = outcome.kind === 'failed' && isEnd(outcome.failure);
    if (isGone && !listener.hasLeft) end(listener, this.#world.simulation.nowMs);
    if (isGone) return undefined;
    const verdict = this.#journal.verdict('Polling', outcome);
    if (verdict === 'refused')
      this.#journal.complaints.push(`A poll was refused: ${JSON.stringify(outcome)}`);
    if (outcome.kind !== 'done') return [];
    if (wasExpired) this.#journal.complaints.push(`Queue ${listener.queueId} came back to life`);
    listener.polledAtMs = Math.max(listener.polledAtMs, startMs);
    return outcome.value.events;
  }

  async #leave(listener: Listener): Promise<void> {
    listener.hasLeft = true;
    const outcome = await this.#request(listener.account, deleteQueue, { queue_id: listener.queueId });
    // It may have expired while the request waited.
    if (outcome.kind === 'failed' && isEnd(outcome.failure))
      return end(listener, this.#world.simulation.nowMs);
    this.#journal.verdict('Deleting a queue', outcome);
  }

  /** Reads until there is nothing more. Expired entries never come back. */
  async drain(listener: Listener): Promise<void> {
    if (listener.hasLeft && listener.expiredAtMs === undefined) return;
    for (;;) {
      const events = await this.poll(listener, true);
      if (!events || events.length === 0) return;
      receive(listener, events);
    }
  }

  wishes(account: Account): Wishes {
    const { random } = this.#world;
    const all = { eventTypes: undefined, narrow: [], allPublicChannels: false };
    const lifespan = random.chance(SHARE_SHORT_LIVED) ? { lifespanSeconds: 1 } : {};
    const wishes = random.pick<Wishes>([
      all,
      all,
      { ...all, eventTypes: ['message'] },
      { ...all, eventTypes: ['message', 'subscription'], narrow: [['channel', random.pick(channelNames)]] },
      { ...all, narrow: [['is', 'dm']] },
      { ...all, allPublicChannels: account.role !== roles.guest },
    ]);
    return { ...wishes, ...lifespan };
  }

  #place() {
    const { random, people } = this.#world;
    if (random.chance(0.3)) return { type: 'direct', to: [random.pick(people).userId] };
    const to = this.#channelIds.get(random.pick(channelNames)) ?? 0;
    return { type: 'channel', to, topic: random.pick(['one', 'two']) };
  }

  #request<P extends Parameters, Result>(
    caller: Account,
    operation: Operation<P, Result> & { params: P },
    params: Record<string, unknown>,
  ) {
    if (!this.#world.withEdge || !isAtTheEdge(operation))
      return this.#world.request(caller, operation, valuesOf(operation, params));
    return this.#world.act<Result>(caller, operation.route, (services) =>
      callThroughEdge(services, operation as unknown as AnyEndpoint, caller, params),
    );
  }

  #hesitate(): Promise<void> {
    return this.#world.wait(this.#world.random.between(0, 300));
  }

  #seconds(): number {
    return Math.floor(this.#world.simulation.nowMs / 1000);
  }
}

/** The queue is gone: it was deleted, or its owner was deactivated. */
const isEnd = (failure: unknown): boolean =>
  failure instanceof BadEventQueueId || failure instanceof UserDeactivated;

export function receive(listener: Listener, events: ReceivedEvent[]): void {
  listener.events.push(...events);
  listener.lastEventId = events.at(-1)?.id ?? listener.lastEventId;
}
