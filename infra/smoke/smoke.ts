import type { Caller } from './caller.ts';
import type { Check, SmokeOptions } from './check.ts';
import { insideChecks } from './inside.ts';
import { outsideChecks } from './outside.ts';

export interface Finding {
  check: Check;
  outcome: 'ok' | 'failed' | 'left out';
  seconds: number;
  /** Of a failure. */
  reason?: string;
}

/** Checks a deployment from outside, one check after the other. Checks that need an account are left out without one. */
export async function* smoke(caller: Caller, options: SmokeOptions): AsyncGenerator<Finding> {
  for (const check of outsideChecks) yield await perform(check, caller, options);
  for (const check of insideChecks)
    yield caller.account ? await perform(check, caller, options) : { check, outcome: 'left out', seconds: 0 };
}

async function perform(check: Check, caller: Caller, options: SmokeOptions): Promise<Finding> {
  const startMs = performance.now();
  const secondsOf = () => (performance.now() - startMs) / 1000;
  try {
    await check.run(caller, options);
    return { check, outcome: 'ok', seconds: secondsOf() };
  } catch (failure) {
    return { check, outcome: 'failed', seconds: secondsOf(), reason: String(failure) };
  }
}
