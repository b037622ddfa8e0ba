import { answerSocket } from '#functions/sockets/answer-socket.ts';
import { RequestCounter } from '#shared/api/request-limit.ts';
import type { SimulatedSocket } from '#tests/simulation/services/simulated-sockets.ts';
import type { World } from '#tests/simulation/world.ts';
import type { Listener, ReceivedEvent } from './journal.ts';
import { type People, receive } from './people.ts';

const SHARE_WITH_SOCKET = 0.7;
const LOOK_MS = 40;
/** A client that is told nothing for so long after `open` takes another socket. */
const PATIENCE_MS = 3_000;
const SHARE_ACKNOWLEDGED = 0.1;
const SHARE_KILLED = 0.02;
const SHARE_LEFT_FOR_POLLS = 0.02;

interface Text {
  op: 'opened' | 'events' | 'poll' | 'closed';
  position: number;
  events: ReceivedEvent[];
}

/** Clients that have their events pushed, by the rules of `docs/event-socket.md`, and poll between two sockets. */
export class SocketClients {
  readonly #world: World;
  readonly #people: People;

  constructor(world: World, people: People) {
    this.#world = world;
    this.#people = people;
  }

  /** Listens until the end, by socket and by polls. */
  async listen(listener: Listener, isOver: () => boolean): Promise<void> {
    const { random, sockets } = this.#world;
    if (!sockets || !random.chance(SHARE_WITH_SOCKET)) return this.#people.listen(listener, isOver);
    while (!isOver() && !listener.hasLeft && !listener.wasEnded) {
      const socket = new ClientSocket(this.#world, listener);
      await socket.open();
      while (!isOver() && socket.isOpen) {
        await this.#world.wait(random.between(1, LOOK_MS));
        socket.work();
        if (random.chance(SHARE_ACKNOWLEDGED)) await socket.acknowledge();
        if (random.chance(SHARE_KILLED)) socket.kill();
        // Two at once: the queue has one cursor for both.
        if (random.chance(SHARE_LEFT_FOR_POLLS)) await this.#people.poll(listener, true);
      }
      socket.kill();
      await this.#catchUp(listener);
    }
  }

  async #catchUp(listener: Listener): Promise<void> {
    for (;;) {
      const events = await this.#people.poll(listener, true);
      if (!events || events.length === 0) return;
      receive(listener, events);
    }
  }

  /** At the end, when nothing goes wrong any more, a socket tells all that polls would tell. */
  async judge(listeners: Listener[]): Promise<void> {
    if (!this.#world.sockets) return;
    for (const listener of listeners.filter(({ hasLeft, wasEnded }) => !hasLeft && !wasEnded)) {
      const socket = new ClientSocket(this.#world, listener);
      await socket.open();
      socket.work();
      socket.kill();
    }
  }
}

/** One socket of a client, which takes its texts when it comes to that. */
class ClientSocket {
  readonly #world: World;
  readonly #listener: Listener;
  readonly #socket: SimulatedSocket;
  readonly #texts: Text[] = [];
  #position = 0;
  #isOpened = false;
  #openedAtMs: number;

  constructor(world: World, listener: Listener) {
    this.#world = world;
    this.#listener = listener;
    this.#openedAtMs = world.simulation.nowMs;
    const connectionId = world.ids.uuid();
    if (!world.sockets) throw new Error('There are no sockets in this run');
    this.#socket = world.sockets.connect(connectionId, (text) => {
      if (text !== undefined) this.#texts.push(JSON.parse(text));
    });
  }

  get isOpen(): boolean {
    const isLate = !this.#isOpened && this.#world.simulation.nowMs - this.#openedAtMs > PATIENCE_MS;
    return this.#socket.isOpen && !isLate;
  }

  async open(): Promise<void> {
    await this.#ask('open');
  }

  async acknowledge(): Promise<void> {
    if (this.#isOpened) await this.#ask('ack');
  }

  /** Takes what has come. What the pusher told before the answer to `open` waits for that. */
  work(): void {
    if (!this.#isOpened) {
      const at = this.#texts.findIndex(({ op }) => op === 'opened');
      if (at < 0) return;
      this.#take(this.#texts.splice(at, 1)[0] as Text);
      this.#isOpened = true;
      this.#listener.polledAtMs = Math.max(this.#listener.polledAtMs, this.#openedAtMs);
    }
    for (const text of this.#texts.splice(0)) if (text.op === 'events') this.#take(text);
  }

  /** The client is gone, and no one is told. */
  kill(): void {
    this.#socket.isOpen = false;
  }

  #take({ position, events }: Text): void {
    const { lastEventId } = this.#listener;
    receive(
      this.#listener,
      events.filter(({ id }) => id > lastEventId),
    );
    this.#position = Math.max(this.#position, position);
  }

  #ask(op: 'open' | 'ack') {
    const { snapshot, lastEventId } = this.#listener;
    const { connectionId } = this.#socket;
    const position = this.#position > 0 ? this.#position : undefined;
    const text = JSON.stringify({
      op,
      token: snapshot.event_socket.token,
      last_event_id: lastEventId,
      position,
    });
    return this.#world.invoke(`${op} socket`, (services) =>
      answerSocket(services, { connectionId, text }, new RequestCounter()),
    );
  }
}
