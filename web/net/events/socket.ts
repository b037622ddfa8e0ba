import { type Ending, type Heard, readText, type SocketText } from '#web/state/event-socket/follower.ts';
import type { Spell } from '#web/state/event-socket/pauses.ts';

/** How long a socket may take until it is open. */
const OPENING_MS = 20_000;
/** API Gateway ends a connection without texts after ten minutes. */
const QUIET_MS = 4 * 60_000;
/** For an answer to a ping. */
const PONG_MS = 10_000;
const QUICK_PONG_MS = 5_000;

/** Processes a text and returns its consequences. */
type Receive = (text: SocketText) => Heard;
/** Builds the texts that report the client's position. */
type Say = (op: 'open' | 'ack') => string;

/** A socket of the browser, which is opened once. */
export class EventSocket {
  /** Aborted when the socket is open, or over. */
  readonly settled: AbortSignal;
  /** How it went. */
  readonly over: Promise<Spell>;
  readonly #settle = new AbortController();
  readonly #end: (spell: Spell) => void;
  readonly #socket: WebSocket | undefined;
  readonly #receive: Receive;
  readonly #say: Say;
  #openedAtMs: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsked = false;

  constructor(url: string, receive: Receive, say: Say) {
    const over = Promise.withResolvers<Spell>();
    this.settled = this.#settle.signal;
    this.over = over.promise;
    this.#end = over.resolve;
    this.#receive = receive;
    this.#say = say;
    this.#socket = connect(url);
    if (this.#socket) this.#listen(this.#socket);
    else this.#cut();
  }

  /** Pings the service; a socket without an answer is closed. */
  check(): void {
    if (this.#openedAtMs !== undefined) this.#ping(QUICK_PONG_MS);
  }

  /** Ends the socket from here. */
  leave(): void {
    this.#finish({ kind: 'left' });
  }

  #cut(): void {
    this.#finish({ kind: 'cut' });
  }

  #listen(socket: WebSocket): void {
    this.#wait(OPENING_MS, () => this.#cut());
    socket.onopen = () => socket.send(this.#say('open'));
    socket.onclose = () => this.#cut();
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const text = readText(data);
      if (text) this.#take(socket, text);
      else this.#cut();
    };
  }

  #take(socket: WebSocket, text: SocketText): void {
    this.#isAsked = false;
    const { ending, isAckDue } = this.#receive(text);
    if (text.op === 'opened') {
      this.#openedAtMs = Date.now();
      this.#settle.abort();
    }
    if (this.#openedAtMs !== undefined) this.#wait(QUIET_MS, () => this.#ping(PONG_MS));
    if (isAckDue) socket.send(this.#say('ack'));
    if (ending) this.#finish(ending);
  }

  #ping(pongMs: number): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#socket?.send(JSON.stringify({ op: 'ping' }));
    this.#wait(pongMs, () => this.#cut());
  }

  /** The one thing that happens unless a text comes before. */
  #wait(ms: number, what: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(what, ms);
  }

  #finish(ending: Ending): void {
    clearTimeout(this.#timer);
    if (this.#socket) {
      this.#socket.onopen = this.#socket.onclose = this.#socket.onmessage = null;
      this.#socket.close();
    }
    const openedAtMs = this.#openedAtMs;
    const openMs = openedAtMs === undefined ? 0 : Date.now() - openedAtMs;
    // The first reason counts.
    this.#end({ ending, wasOpened: openedAtMs !== undefined, openMs });
    this.#settle.abort();
  }
}

/** Undefined if the browser opens no socket to this address. */
function connect(url: string): WebSocket | undefined {
  const address = new URL(url, location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  try {
    return new WebSocket(address);
  } catch {
    return undefined;
  }
}
