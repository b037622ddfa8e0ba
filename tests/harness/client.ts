import { expect } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { checkReply } from './declared/replies.ts';
import { exchange } from './exchange.ts';

export type Params = Record<string, unknown>;

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
  body: any;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Sent as it is, instead of form-encoded parameters. */
  rawBody?: string | Uint8Array | FormData;
}

/** A client of the service as one user, speaking HTTP only. Every reply is checked against the declared endpoint. */
export class Client {
  readonly url: string;
  readonly userId: number;
  readonly email: string;
  apiKey: string;
  readonly #settle: (() => Promise<void>) | undefined;

  /** `settle` waits for the workers of the service, if the test has it at hand. */
  constructor(
    url: string,
    account: { userId: number; email: string; apiKey: string },
    settle?: () => Promise<void>,
  ) {
    this.url = url;
    this.userId = account.userId;
    this.email = account.email;
    this.apiKey = account.apiKey;
    this.#settle = settle;
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.email}:${this.apiKey}`).toString('base64')}`;
  }

  get(path: string, params: Params = {}, options: RequestOptions = {}): Promise<Reply> {
    return this.request('GET', path, params, options);
  }

  post(path: string, params: Params = {}, options: RequestOptions = {}): Promise<Reply> {
    return this.request('POST', path, params, options);
  }

  put(path: string, params: Params = {}, options: RequestOptions = {}): Promise<Reply> {
    return this.request('PUT', path, params, options);
  }

  patch(path: string, params: Params = {}, options: RequestOptions = {}): Promise<Reply> {
    return this.request('PATCH', path, params, options);
  }

  delete(path: string, params: Params = {}, options: RequestOptions = {}): Promise<Reply> {
    return this.request('DELETE', path, params, options);
  }

  async request(method: string, path: string, params: Params, options: RequestOptions): Promise<Reply> {
    const form = toForm(params);
    const isQuery = method === 'GET' || method === 'HEAD';
    const target = `${this.url}/api/v1${path}${isQuery && form.size > 0 ? `?${form}` : ''}`;
    const body = options.rawBody ?? (isQuery ? undefined : form);
    const { status, headers, bytes } = await exchange(target, {
      method,
      // The compression of replies has tests of its own.
      headers: { authorization: this.authorization, 'accept-encoding': 'identity', ...options.headers },
      ...(body !== undefined && { body: body as string }),
    });
    const reply = { status, headers, body: bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined };
    this.check(method, path.split('?')[0] ?? path, reply);
    return reply;
  }

  /** Holds a reply to the declaration of its endpoint. */
  protected check(method: string, path: string, reply: Reply): void {
    checkReply(endpoints, method, path, reply);
  }

  /** Subscribes this user, creating the channel if there is none, and returns its id. */
  async subscribe(name: string, params: Params = {}): Promise<number> {
    const { status, body } = await this.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      ...params,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const found = await this.get('/get_stream_id', { stream: name });
    return found.body.stream_id;
  }

  /** Sends to a topic of a channel and returns the id. */
  async send(channel: string | number, topic: string, content: string, params: Params = {}): Promise<number> {
    return this.sendTo({ type: 'channel', to: channel, topic, content, ...params });
  }

  /** Sends to people and returns the id. */
  async sendDirect(to: number[], content: string, params: Params = {}): Promise<number> {
    return this.sendTo({ type: 'direct', to, content, ...params });
  }

  private async sendTo(params: Params): Promise<number> {
    const { status, body } = await this.post('/messages', params);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.id;
  }

  /** Registers an event queue and returns a reader of it. */
  async register(params: Params = {}): Promise<EventQueue> {
    const { status, body } = await this.post('/register', params);
    expect(status, JSON.stringify(body)).toBe(200);
    return new EventQueue(this, body);
  }

  /**
   * Registers an event queue for its events only: no state is requested, which is most of the work. It starts after
   * all consequences of earlier actions.
   */
  async listen(params: Params = {}): Promise<EventQueue> {
    await this.#settle?.();
    return this.register({ fetch_event_types: [], ...params });
  }
}

/** A queue in a client: acknowledges received events and polls for more. */
export class EventQueue {
  readonly client: Client;
  /** The reply of register. */
  // biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
  readonly snapshot: any;
  readonly queueId: string;
  lastEventId: number;

  // biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
  constructor(client: Client, snapshot: any) {
    this.client = client;
    this.snapshot = snapshot;
    this.queueId = snapshot.queue_id;
    this.lastEventId = snapshot.last_event_id;
  }

  poll(params: Params = {}): Promise<Reply> {
    return this.client.get('/events', { queue_id: this.queueId, last_event_id: this.lastEventId, ...params });
  }

  /** Every event that is there by now, heartbeats left out; waits for none. */
  async drain(): Promise<ReceivedEvent[]> {
    const all: ReceivedEvent[] = [];
    for (;;) {
      const events = await this.#take({ dont_block: true });
      if (events.length === 0) return withoutHeartbeats(all);
      all.push(...events);
    }
  }

  /** The same, or undefined if the queue does not exist. */
  async drainIfAlive(): Promise<ReceivedEvent[] | undefined> {
    const reply = await this.poll({ dont_block: true });
    if (reply.status !== 200) return undefined;
    const first = this.#accept(reply);
    return first.length === 0 ? [] : [...withoutHeartbeats(first), ...(await this.drain())];
  }

  /** The events of one reply: all that there are, unless they are more than a look or a reply holds. */
  async takeReply(): Promise<ReceivedEvent[]> {
    return withoutHeartbeats(await this.#take({ dont_block: true }));
  }

  /** Waits until an event of this type comes and returns everything up to the end of that reply. */
  async waitFor(type: string): Promise<ReceivedEvent[]> {
    const all: ReceivedEvent[] = [];
    while (!all.some((event) => event.type === type)) all.push(...(await this.#take({})));
    return withoutHeartbeats(all);
  }

  async #take(params: Params): Promise<ReceivedEvent[]> {
    return this.#accept(await this.poll(params));
  }

  #accept({ status, body }: Reply): ReceivedEvent[] {
    expect(status, JSON.stringify(body)).toBe(200);
    const events = body.events as ReceivedEvent[];
    for (const { id } of events) {
      expect(id).toBeGreaterThan(this.lastEventId);
      this.lastEventId = id;
    }
    return events;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
export type ReceivedEvent = { id: number; type: string; op?: string } & Record<string, any>;

const withoutHeartbeats = (events: ReceivedEvent[]): ReceivedEvent[] =>
  events.filter(({ type }) => type !== 'heartbeat');

function toForm(params: Params): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  return form;
}
