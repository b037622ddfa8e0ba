import {
  afterPoll,
  afterText,
  beginSocket,
  endSocket,
  followFrom,
  type Heard,
  progressOf,
  type SocketText,
} from '#web/state/event-socket/follower.ts';
import type { WireEvent } from '#web/state/wire-events.ts';

interface Entry {
  position: number;
  events: WireEvent[];
}

/** A queue, its socket in the service, and a client that receives both in an order that choices decide. */
export class QueueModel {
  /** The events that the client saw. */
  readonly seen: number[] = [];
  readonly #log: Entry[] = [];
  #follower = followFrom(0);
  /** On the way to the client: texts of the socket, and the answer to a poll. */
  #texts: SocketText[] = [];
  #polled: WireEvent[] | undefined;
  /** The pusher has sent the socket everything up to here. */
  #pushed = 0;
  #opened: SocketText | undefined;

  /** All events of the queue. */
  get ids(): number[] {
    return this.#log.flatMap(({ events }) => events).map(({ id }) => id);
  }

  /** Does one of the things that can happen; `count` says how much of it. */
  step(choice: number, count: number): void {
    const things = [
      () => this.#append(count),
      () => this.#open(),
      () => this.#answerOpen(),
      () => this.#push(count),
      () => this.#deliver(),
      () => this.#deliver(),
      () => this.#repeat(count),
      () => this.#startPoll(),
      () => this.#endPoll(),
      () => count === 0 && this.#cut(),
    ];
    things[choice % things.length]?.();
  }

  pollAll(): void {
    this.#take(afterPoll(this.#follower, this.#lacked()));
  }

  get #head(): number {
    return this.#log.length;
  }

  #append(count: number): void {
    const position = this.#head + 1;
    const ids = Array.from({ length: count }, (_, index) => position * 1_000 + index);
    this.#log.push({ position, events: ids.map((id) => ({ id, type: 'heartbeat' }) as WireEvent) });
  }

  #lacked(): WireEvent[] {
    const { last_event_id: lastEventId } = progressOf(this.#follower) as { last_event_id: number };
    return this.#log.flatMap(({ events }) => events).filter(({ id }) => id > lastEventId);
  }

  /** The connection exists from now on; the answer is read now and sent later than the texts pushed meanwhile. */
  #open(): void {
    if (this.#follower.socket !== 'none') return;
    const { position = 0 } = progressOf(this.#follower) as { position?: number };
    const events = this.#log.filter((entry) => entry.position > position).flatMap((entry) => entry.events);
    this.#follower = beginSocket(this.#follower);
    this.#opened = { op: 'opened', position: this.#head, events };
    this.#pushed = this.#head;
  }

  #answerOpen(): void {
    if (this.#opened) this.#texts.push(this.#opened);
    this.#opened = undefined;
  }

  #push(count: number): void {
    if (this.#follower.socket === 'none') return;
    const entries = this.#log.slice(this.#pushed, this.#pushed + count);
    const position = entries.at(-1)?.position;
    if (position === undefined) return;
    this.#texts.push({ op: 'events', position, events: entries.flatMap(({ events }) => events) });
    this.#pushed = position;
  }

  /** A pusher that crashed continues from its stored place, and sends events again. */
  #repeat(count: number): void {
    this.#pushed = Math.max(0, this.#pushed - count);
  }

  #deliver(): void {
    const text = this.#texts.shift();
    if (text) this.#take(afterText(this.#follower, text));
  }

  #cut(): void {
    this.#texts = [];
    this.#opened = undefined;
    this.#follower = endSocket(this.#follower);
  }

  #startPoll(): void {
    this.#polled ??= this.#lacked();
  }

  #endPoll(): void {
    if (this.#polled) this.#take(afterPoll(this.#follower, this.#polled));
    this.#polled = undefined;
  }

  #take({ follower, events }: Heard): void {
    this.#follower = follower;
    this.seen.push(...events.map(({ id }) => id));
  }
}
