import { Unreachable } from '#shared/table/table.ts';
import type { CallKind, Fault } from './tables/faults.ts';

/** The place in which requests or an invocation run. After a crash they never continue. */
export interface Process {
  name: string;
  /** How many requests run here. */
  requests: number;
  hasCrashed: boolean;
  /** Nothing goes wrong with its calls. */
  isSteady: boolean;
  /** How far its clock is ahead of the world's. */
  skewMs: number;
  /** It pauses until then. */
  frozenUntilMs: number;
  /** How many of its calls wait for their turn. */
  callCount: number;
  crash(): void;
  /** Resolves with the crash. */
  crashed: Promise<{ kind: 'crashed' }>;
}

/** The result of a request, as far as its caller knows. */
export type Outcome<Result> =
  | { kind: 'done'; value: Result }
  | { kind: 'failed'; failure: unknown }
  | { kind: 'crashed' };

/** A call that waits for its turn. */
export interface Call<Result> {
  kind: CallKind;
  /** For the trace. */
  what: string;
  run(fault: Fault | undefined): Promise<Result>;
}

/** The error of the client library if no reply came. Whether the call took effect is unknown. */
export class NoReply extends Unreachable {
  constructor() {
    super(new Error('No reply came'));
  }
}
