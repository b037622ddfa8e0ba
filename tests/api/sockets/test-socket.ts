import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';
import type { Client, EventQueue, Params, ReceivedEvent } from '#tests/harness/client.ts';

/** A text of the service through a socket. */
export interface SocketText {
  op: string;
  position?: number;
  events?: ReceivedEvent[];
  code?: string;
  msg?: string;
}

/** A queue whose client may open a socket. */
export const withSocket = (client: Client, params: Params = {}): Promise<EventQueue> =>
  client.listen({ client_capabilities: { event_socket: true }, ...params });

/** A socket of a client, which remembers the received events. */
export class TestSocket {
  readonly texts: SocketText[] = [];
  readonly #socket: WebSocket;
  #wake: (() => void) | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      this.texts.push(JSON.parse(String(data)));
      this.#wake?.();
    });
    socket.on('close', () => this.#wake?.());
    socket.on('error', () => {});
  }

  static async connect(url: string, options: ClientOptions = {}): Promise<TestSocket> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/event-socket`, options);
    const test = new TestSocket(socket);
    await once(socket, 'open');
    return test;
  }

  /** A socket that sends a queue's events from the position of its reader. */
  static async open(queue: EventQueue): Promise<TestSocket> {
    const socket = await TestSocket.connect(queue.client.url);
    await socket.request(openText(queue));
    return socket;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Every event that a client has by the rules of the protocol, in order: the pusher may be faster than `opened`. */
  get events(): ReceivedEvent[] {
    const pushed = this.texts.filter(({ op }) => op === 'events');
    const opened = this.texts.filter(({ op }) => op === 'opened');
    let lastId = -1;
    return [...opened, ...pushed]
      .flatMap(({ events = [] }) => events)
      .filter(({ id }) => {
        const isNew = id > lastId;
        if (isNew) lastId = id;
        return isNew;
      });
  }

  /** Takes nothing that comes until it is to go on. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  send(text: unknown): void {
    this.#socket.send(typeof text === 'string' || Buffer.isBuffer(text) ? text : JSON.stringify(text));
  }

  /** Sends, and returns the next text that comes and is not pushed. */
  async request(text: unknown): Promise<SocketText> {
    const count = this.#answers.length;
    this.send(text);
    await this.until(() => this.#answers.length > count);
    return this.#answers[count] as SocketText;
  }

  get #answers(): SocketText[] {
    return this.texts.filter(({ op }) => op !== 'events');
  }

  /** Waits for an event, or the end of the socket. */
  async until(hasHappened: () => boolean): Promise<void> {
    while (!hasHappened() && this.#socket.readyState !== WebSocket.CLOSED)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  async untilClosed(): Promise<SocketText | undefined> {
    await this.until(() => false);
    return this.texts.at(-1);
  }

  /** As when the network is gone: nothing is said. */
  kill(): void {
    this.#socket.terminate();
  }
}

export const openText = ({ snapshot, lastEventId }: EventQueue) => ({
  op: 'open',
  token: snapshot.event_socket.token,
  last_event_id: lastEventId,
});
