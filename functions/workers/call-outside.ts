import { callAsJson, type OutsideResult } from '#shared/adapters/outside/aws-outside.ts';
import { createOutside } from '#shared/adapters/outside/call.ts';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import type { OutsideRequest } from '#shared/runtime/outside/outside.ts';

const outside = createOutside({ openings: readOpenings(process.env.OUTGOING_ALLOW) });

/** Makes one request to an address that someone else chose. Other functions invoke it and wait for the result. */
export const handler = (request: OutsideRequest): Promise<OutsideResult> => callAsJson(outside, request);
