import { answerSocket } from '#functions/sockets/answer-socket.ts';
import { RequestCounter } from '#shared/api/request-limit.ts';
import { readCounter } from '#shared/store/log/log.ts';
import type { SimulatedSocket } from '#tests/simulation/services/simulated-sockets.ts';
import type { World } from '#tests/simulation/world.ts';
import type { Journal, Listener, ReceivedEvent } from './journal.ts';
import { type People, receive } from './people.ts';

const SHARE_WITH_SOCKET = 0.7;
const LOOK_MS = 40;
/** A client without any text for so long after `open` opens another socket. */
const PATIENCE_MS = 3_000;
const SHARE_ACKNOWLEDGED = 0.1;
/** How often at a look a client loses its socket, and how often it polls beside; many clients do so seldom. */
const SHARE_KILLED = 0.02;
const SHARE_LEFT_FOR_POLLS = 0.02;
const PACES = [1, 0.2, 0.05];
/** The socket stays open on the other side. */
const SHARE_FORGOTTEN = 0.3;
/** Otherwise a client opens the next socket after a while without any events. */
const SHARE_POLLING_BETWEEN = 0.5;
const AWAY_MS = 1_500;
/** The last things that happen are mostly such as may wait. */
const LAST_NOTICES = 2;

interface Text {
  op: 'opened' | 'events' | 'poll' | 'closed';
  position: number;
  events: ReceivedEvent[];
}

/** Clients that have their events pushed, by the rules of `docs/event-socket.md`, and poll between two sockets. */
export class SocketClients {
  readonly #world: World;
  readonly #people: People;
  readonly #journal: Journal;
  /** The sockets that were open at the end. */
  readonly #open = new Map<Listener, ClientSocket>();

  constructor(world: World, people: People, journal: Journal) {
    this.#world = world;
    this.#people = people;
    this.#journal = journal;
  }

  /** Listens until the end, by socket and by polls. */
  async listen(listener: Listener, isOver: () => boolean): Promise<void> {
    const { random, sockets } = this.#world;
    if (!sockets || !random.chance(SHARE_WITH_SOCKET)) return this.#people.listen(listener, isOver);
    const pace = random.pick(PACES);
    while (!isOver() && !listener.hasLeft && !listener.wasEnded) {
      const socket = new ClientSocket(this.#world, listener);
      await socket.open();
      await this.#use(socket, listener, pace, isOver);
      if (isOver() && socket.isOpen) return void this.#open.set(listener, socket);
      if (!random.chance(SHARE_FORGOTTEN)) socket.kill();
      if (socket.isToPoll || random.chance(SHARE_POLLING_BETWEEN)) await this.#catchUp(listener);
      else await this.#world.wait(random.between(0, AWAY_MS));
    }
  }

  async #use(socket: ClientSocket, listener: Listener, pace: number, isOver: () => boolean): Promise<void> {
    const { random } = this.#world;
    while (!isOver() && socket.isOpen) {
      await this.#world.wait(random.between(1, LOOK_MS));
      socket.work();
      if (random.chance(SHARE_ACKNOWLEDGED)) await socket.acknowledge();
      // Two at once: the queue has one cursor for both.
      if (random.chance(SHARE_LEFT_FOR_POLLS * pace)) await this.#people.poll(listener, true);
      if (random.chance(SHARE_KILLED * pace)) return;
    }
  }

  async #catchUp(listener: Listener): Promise<void> {
    for (;;) {
      const events = await this.#people.poll(listener, true);
      if (!events || events.length === 0) return;
      receive(listener, events);
    }
  }

  /**
   * At the end, without further faults: an open socket has sent everything that polls would return, and ends when its
   * client opens another one, which sends everything as well.
   */
  async judge(): Promise<void> {
    if (!this.#world.sockets) return;
    for (const person of this.#world.people) await this.#people.type(person, LAST_NOTICES);
    await this.#world.pushers.pushHere(await readCounter(this.#world.services().table));
    for (const [listener, socket] of this.#open) {
      socket.work();
      if (socket.hasOpened && socket.isOpen) await this.#judgeOpen(listener);
    }
    for (const listener of this.#journal.listeners.filter(({ hasLeft, wasEnded }) => !hasLeft && !wasEnded)) {
      const socket = new ClientSocket(this.#world, listener);
      await socket.open();
      socket.work();
      const older = this.#open.get(listener);
      if (socket.hasOpened && older?.hasOpened && older.isOpen)
        this.#complain(listener, 'has two sockets at the same time');
      socket.kill();
    }
  }

  async #judgeOpen(listener: Listener): Promise<void> {
    const events = await this.#people.poll(listener, true);
    const untold = events?.find(({ type }) => type !== 'heartbeat');
    if (untold) this.#complain(listener, `did not get through its socket ${JSON.stringify(untold)}`);
  }

  #complain({ queueId, account }: Listener, what: string): void {
    this.#journal.complaints.push(`Queue ${queueId.slice(0, 8)} of ${account.fullName} ${what}`);
  }
}

/** One socket of a client, which takes its texts when it comes to that. */
class ClientSocket {
  readonly #world: World;
  readonly #listener: Listener;
  readonly #socket: SimulatedSocket;
  readonly #texts: Text[] = [];
  #position = 0;
  hasOpened = false;
  /** The instruction to poll, or the reason of its end. */
  isToPoll = false;
  #openedAtMs: number;

  constructor(world: World, listener: Listener) {
    this.#world = world;
    this.#listener = listener;
    this.#openedAtMs = world.simulation.nowMs;
    const connectionId = world.ids.uuid();
    if (!world.sockets) throw new Error('There are no sockets in this run');
    this.#socket = world.sockets.connect(connectionId, (text) => {
      if (text === undefined) return;
      const parsed: Text = JSON.parse(text);
      this.#texts.push(parsed);
      if (parsed.op === 'poll' || parsed.op === 'closed') this.isToPoll = true;
    });
  }

  get isOpen(): boolean {
    const isLate = !this.hasOpened && this.#world.simulation.nowMs - this.#openedAtMs > PATIENCE_MS;
    return this.#socket.isOpen && !isLate;
  }

  async open(): Promise<void> {
    await this.#send('open');
  }

  async acknowledge(): Promise<void> {
    if (this.hasOpened) await this.#send('ack');
  }

  /** Processes the received texts. Texts of the pusher before the answer to `open` wait for that. */
  work(): void {
    if (!this.hasOpened) {
      const at = this.#texts.findIndex(({ op }) => op === 'opened');
      if (at < 0) return;
      this.#take(this.#texts.splice(at, 1)[0] as Text);
      this.hasOpened = true;
      this.#listener.polledAtMs = Math.max(this.#listener.polledAtMs, this.#openedAtMs);
    }
    for (const text of this.#texts.splice(0)) if (text.op === 'events') this.#take(text);
  }

  /** The client is gone, and no one is notified. */
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

  #send(op: 'open' | 'ack') {
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
