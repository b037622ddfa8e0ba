import { domainOf } from './aws-domain.ts';
import { requestAws } from './aws-request.ts';

/** A function of Lambda that is invoked without an SDK client. */
export interface InvokedFunction {
  functionName: string;
  region: string;
  /** An address of Lambda other than the region's own. */
  endpoint?: string;
}

interface Invocation {
  payload: unknown;
  timeoutMs: number;
  /** `Event` does not wait for the result. */
  type?: 'RequestResponse' | 'Event';
}

/** Invokes a function, and returns Lambda's reply of any status. Retries, so that the function may run more than once. */
export function invokeAws(
  { functionName, region, endpoint }: InvokedFunction,
  { payload, timeoutMs, type = 'RequestResponse' }: Invocation,
): Promise<Response> {
  const url = new URL(
    `/2015-03-31/functions/${functionName}/invocations`,
    endpoint ?? `https://lambda.${region}.${domainOf(region)}`,
  );
  return requestAws({ service: 'lambda', region }, url, {
    method: 'POST',
    headers: { 'x-amz-invocation-type': type },
    body: new TextEncoder().encode(JSON.stringify(payload)),
    timeoutMs,
  });
}
