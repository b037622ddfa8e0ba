import type { User } from '#shared/domain/users/user.ts';
import type { TailReader } from '#shared/log/tail.ts';
import type { Services } from '#shared/runtime/services.ts';
import { cursorOf } from './cursor.ts';
import { type Interruption, waitAsNewest } from './newest-poll.ts';
import { leasePoll, type PollLease } from './poll-lease.ts';
import type { Queue } from './queue.ts';

/** The time for which one poll is held. Its first wait takes a lease from the account. */
export class Hold {
  readonly #services: Services;
  readonly #queue: Queue;
  readonly #caller: User;
  readonly #tail: TailReader;
  readonly #endMs: number;
  #lease: PollLease | undefined;
  #turn: ReturnType<typeof waitAsNewest> | undefined;

  constructor(services: Services, queue: Queue, caller: User, tail: TailReader) {
    this.#services = services;
    this.#queue = queue;
    this.#caller = caller;
    this.#tail = tail;
    this.#endMs = services.clock.nowMs() + services.config.pollHoldMs;
  }

  isOver(nowMs: number): boolean {
    return nowMs >= this.#endMs;
  }

  /**
   * Waits until there may be something to read, or something else to do. Returns why the poll must end, if it
   * must; the newer poll of its queue may be in another process.
   * @throws RateLimitHit when too many polls of the account are waiting
   */
  async wait(queue: Queue, nowMs: number): Promise<Interruption | undefined> {
    const restMs = this.#endMs - nowMs;
    if (await this.#lease?.isSuperseded()) return 'superseded';
    this.#lease ??= await this.#takeLease(restMs);
    this.#turn ??= waitAsNewest(this.#services, this.#queue.queueId);
    const { interrupted } = this.#turn;
    const limitMs = Math.min(restMs, this.#untilDutyMs(queue, nowMs));
    const { activeMs } = queue;
    await this.#tail.wait({ after: cursorOf(queue), activeMs, limitMs, signal: interrupted });
    return interrupted.aborted ? interrupted.reason : undefined;
  }

  /** The time until the lease must be checked or a heartbeat is due. */
  #untilDutyMs({ lastHeartbeatMs }: Queue, nowMs: number): number {
    const { heartbeatIntervalMs, pollLeaseCheckMs } = this.#services.config;
    const untilBeatMs = lastHeartbeatMs + heartbeatIntervalMs - nowMs;
    return untilBeatMs > 0 ? Math.min(untilBeatMs, pollLeaseCheckMs) : pollLeaseCheckMs;
  }

  end(): void {
    this.#tail.end();
    this.#turn?.end();
  }

  #takeLease(holdMs: number): Promise<PollLease> {
    const { queueId, ackedId } = this.#queue;
    return leasePoll(this.#services, this.#caller, { queueId, lastEventId: ackedId, holdMs });
  }
}
