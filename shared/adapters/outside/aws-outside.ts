import { type InvokedFunction, invokeAws } from '#shared/adapters/aws-invoke.ts';
import {
  type Outside,
  type OutsideAnswer,
  OutsideFailure,
  type OutsideFailureKind,
  type OutsideRequest,
} from '#shared/runtime/outside/outside.ts';

/** The result of the function `call-outside`, as JSON. */
export type OutsideResult =
  | (Omit<OutsideAnswer, 'body'> & { body: string })
  | { failure: OutsideFailureKind; message: string };

/** The function answers within its own timeout, which is longer than that of any request. */
const ANSWER_MS = 35_000;

/** Makes requests by a function that has no permissions, so whoever misuses it reaches nothing. */
export const createAwsOutside = (outsideFunction: InvokedFunction): Outside => ({
  async call(request) {
    const reply = await invokeAws(outsideFunction, { payload: request, timeoutMs: ANSWER_MS });
    if (!reply.ok || reply.headers.get('x-amz-function-error') !== null)
      throw new Error(`The function for outside requests fails with status ${reply.status}`);
    return readResult((await reply.json()) as OutsideResult);
  },
});

/** Makes a request and returns its result or failure as JSON. */
export async function callAsJson(outside: Outside, request: OutsideRequest): Promise<OutsideResult> {
  try {
    const answer = await outside.call(request);
    return { ...answer, body: Buffer.from(answer.body).toString('base64') };
  } catch (failure) {
    if (!(failure instanceof OutsideFailure)) throw failure;
    return { failure: failure.kind, message: failure.message };
  }
}

function readResult(result: OutsideResult): OutsideAnswer {
  if ('failure' in result) throw new OutsideFailure(result.failure, result.message);
  return { ...result, body: Buffer.from(result.body, 'base64') };
}
