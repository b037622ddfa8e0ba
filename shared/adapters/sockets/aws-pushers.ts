import { domainOf } from '#shared/adapters/aws-domain.ts';
import { requestAws } from '#shared/adapters/aws-request.ts';
import type { PartWork } from '#shared/runtime/services.ts';

export interface PusherFunction {
  functionName: string;
  region: string;
  /** An address of Lambda other than the region's own. */
  endpoint?: string;
}

/** Of one attempt. */
const TIMEOUT_MS = 4_000;
const ACCEPTED = 202;

/** Starts a run of the pusher for one part of the connections, without waiting for it. */
export async function startPusher(
  { functionName, region, endpoint }: PusherFunction,
  work: PartWork,
): Promise<void> {
  const url = new URL(
    `/2015-03-31/functions/${functionName}/invocations`,
    endpoint ?? `https://lambda.${region}.${domainOf(region)}`,
  );
  const body = new TextEncoder().encode(JSON.stringify(work));
  const headers = { 'x-amz-invocation-type': 'Event' };
  const request = { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS };
  const { status } = await requestAws({ service: 'lambda', region }, url, request);
  if (status !== ACCEPTED) throw new Error(`A pusher could not be started: status ${status}`);
}
