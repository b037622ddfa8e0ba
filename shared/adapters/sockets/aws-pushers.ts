import { type InvokedFunction, invokeAws } from '#shared/adapters/aws-invoke.ts';
import type { PartWork } from '#shared/runtime/services.ts';

/** Of one attempt. */
const TIMEOUT_MS = 4_000;
const ACCEPTED = 202;

/** Starts a run of the pusher for one part of the connections, without waiting for it. */
export async function startPusher(pusher: InvokedFunction, work: PartWork): Promise<void> {
  const { status } = await invokeAws(pusher, { payload: work, timeoutMs: TIMEOUT_MS, type: 'Event' });
  if (status !== ACCEPTED) throw new Error(`A pusher could not be started: status ${status}`);
}
