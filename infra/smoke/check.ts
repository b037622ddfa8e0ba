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
  /** The fact about AWS that a success proves and no emulator could prove. */
  proves: string;
  run: (caller: Caller, options: SmokeOptions) => Promise<void>;
}
