import type { Caller } from './caller.ts';

export interface SmokeOptions {
  /** How far ahead a message is scheduled. */
  scheduleAheadSeconds: number;
  /** How long a job of the bus may take. */
  jobSeconds: number;
}

/** One look at a deployment. */
export interface Check {
  what: string;
  /** What a success says of AWS that no emulator could say. */
  proves: string;
  run: (caller: Caller, options: SmokeOptions) => Promise<void>;
}
