import { Broken, type Caller, expectEqual, type Json } from './caller.ts';
import type { Check } from './check.ts';

const TIMEOUT_MS = 20_000;

/** A socket, of which each text is waited for. */
class SmokeSocket {
  readonly #socket: WebSocket;
  readonly #texts: Json[] = [];
  #wake: () => void = () => {};

  constructor(url: URL) {
    this.#socket = new WebSocket(url);
    this.#socket.onmessage = ({ data }) => {
      this.#texts.push(JSON.parse(String(data)));
      this.#wake();
    };
    this.#socket.onclose = () => this.#wake();
  }

  /** Waits until the connection is open. @throws Broken */
  async connect(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.onopen = () => resolve();
    this.#socket.onerror = () => resolve();
    await promise;
    expectEqual('state of the connection', this.#socket.readyState, WebSocket.OPEN);
  }

  send(text: object): void {
    this.#socket.send(JSON.stringify(text));
  }

  /** The first matching text. @throws Broken if it does not arrive */
  async find(what: string, isMeant: (text: Json) => boolean): Promise<Json> {
    const untilMs = Date.now() + TIMEOUT_MS;
    for (;;) {
      const found = this.#texts.find(isMeant);
      if (found) return found;
      const restMs = untilMs - Date.now();
      if (restMs <= 0 || this.#socket.readyState === WebSocket.CLOSED)
        throw new Broken(`${what} did not come, but ${JSON.stringify(this.#texts).slice(0, 300)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, restMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.#socket.close();
  }
}

/** Of a deployment without sockets it says nothing. */
export const socketCheck: Check = {
  what: 'A message reaches a socket, if there are sockets',
  proves:
    'the gateway answers pings and may call the function, which may post; the stream of the table wakes the pusher',
  run: async (caller) => {
    const { queue_id, last_event_id, event_socket } = await caller.call('POST', '/register', {
      event_types: ['message'],
      fetch_event_types: [],
      client_capabilities: { event_socket: true },
    });
    if (event_socket) await tryOut(caller, event_socket, last_event_id);
    await caller.call('DELETE', '/events', { queue_id });
  },
};

async function tryOut(
  caller: Caller,
  { url, token }: { url: string; token: string },
  lastEventId: number,
): Promise<void> {
  const socket = new SmokeSocket(new URL(url, caller.url.replace(/^http/, 'ws')));
  await socket.connect();
  try {
    socket.send({ op: 'ping' });
    await socket.find('The answer to a ping', ({ op }) => op === 'pong');
    socket.send({ op: 'open', token, last_event_id: lastEventId });
    await socket.find('The answer to `open`', ({ op }) => op === 'opened');
    const { user_id } = await caller.call('GET', '/users/me');
    const message = { type: 'direct', to: [user_id], content: 'A message of the smoke test to a socket' };
    const { id } = await caller.call('POST', '/messages', message);
    await socket.find(
      'The message',
      ({ op, events = [] }) => op === 'events' && events.some((event: Json) => event.message?.id === id),
    );
  } finally {
    socket.close();
  }
}
