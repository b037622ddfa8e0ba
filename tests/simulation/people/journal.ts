import { BadEventQueueId, DeclaredError, RateLimitHit } from '#shared/domain/errors.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { OutcomeUnknown } from '#shared/log/commit.ts';
import { Throttled } from '#shared/table/table.ts';
import { NoReply, type Outcome } from '#tests/simulation/process.ts';

/** The guarantee for the caller of an operation. */
export type Verdict = 'acknowledged' | 'refused' | 'unknown';

export interface Sending {
  content: string;
  verdict: Verdict;
  messageId?: number;
}

export interface Scheduling {
  userId: number;
  scheduledMessageId?: number;
  verdict: Verdict;
  /** The intended text of the message, from one attempt to change it to the next. */
  contents: string[];
  /** When each of these is due. */
  dueSeconds: number[];
  /** The index of the newest content that was acknowledged. */
  acknowledged: number;
  deletion?: Verdict;
}

// biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
export type ReceivedEvent = { id: number; type: string; op?: string } & Record<string, any>;

/** Which events a client asked for. */
export interface Wishes {
  eventTypes: string[] | undefined;
  narrow: [operator: string, operand: string][];
  allPublicChannels: boolean;
  /** How long the queue lives without a poll, beside the minute that every queue has; otherwise ten minutes. */
  lifespanSeconds?: number;
  /** The capabilities of the client; an older client's if absent. */
  capabilities?: Record<string, boolean>;
  /** The queue is to live for a day. */
  isPatient?: boolean;
}

/** A client with an event queue. */
export interface Listener {
  account: Account;
  wishes: Wishes;
  // biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
  snapshot: any;
  queueId: string;
  /** The id that it acknowledges with its next poll. */
  lastEventId: number;
  events: ReceivedEvent[];
  /** It asked for the queue to be deleted, or lost it. */
  hasLeft: boolean;
  /** The snapshot has nearly nothing, and the queue sends the rest first. */
  isShort: boolean;
  /** When the service said that the queue has expired. */
  expiredAtMs?: number | undefined;
  /** When the last poll began that got a reply. */
  polledAtMs: number;
  /** The service said that the queue is gone, unasked. */
  wasEnded?: boolean;
}

const LIFESPAN_SECONDS = 600;
const PATIENT_LIFESPAN_SECONDS = 86_400;
/** The additional time of every queue, less the greatest difference of clocks. */
const SURE_MARGIN_SECONDS = 58;

const lifespanSecondsOf = ({ isPatient, lifespanSeconds = LIFESPAN_SECONDS }: Wishes): number =>
  isPatient ? PATIENT_LIFESPAN_SECONDS : lifespanSeconds;

/** The service says that a queue is gone which its client did not delete: no user has polled it for long, or why? */
export function end(listener: Listener, nowMs: number): void {
  const sureLifeSeconds = lifespanSecondsOf(listener.wishes) + SURE_MARGIN_SECONDS;
  const isIdle = nowMs - listener.polledAtMs >= sureLifeSeconds * 1000;
  if (isIdle) Object.assign(listener, { hasLeft: true, expiredAtMs: nowMs });
  else listener.wasEnded = true;
}

/** The actions and observations of the people of a run. The judge compares them with the log. */
export class Journal {
  readonly sendings: Sending[] = [];
  readonly schedulings: Scheduling[] = [];
  readonly listeners: Listener[] = [];
  /** Violations whatever the log contains. */
  readonly complaints: string[] = [];
  #labels = 0;

  /** A text that occurs once in a run. */
  label(what: string): string {
    return `${what} no. ${++this.#labels}.`;
  }

  /** Classifies the end of an operation; one that no fault explains is a complaint. */
  verdict(what: string, outcome: Outcome<unknown>): Verdict {
    if (outcome.kind === 'done') return 'acknowledged';
    if (outcome.kind === 'crashed') return 'unknown';
    const failure = outcome.failure instanceof OutcomeUnknown ? outcome.failure.cause : outcome.failure;
    if (failure instanceof NoReply || failure instanceof Throttled || failure instanceof RateLimitHit)
      return 'unknown';
    if (failure instanceof DeclaredError && !(failure instanceof BadEventQueueId)) return 'refused';
    this.complaints.push(`${what} failed: ${failure instanceof Error ? failure.stack : failure}`);
    return 'unknown';
  }
}
