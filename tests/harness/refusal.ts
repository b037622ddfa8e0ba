import { expect } from 'vitest';
import type { Reply } from './client.ts';

interface Refusal extends Record<string, unknown> {
  status?: number;
  code?: string;
}

/** The whole of an error reply: status, envelope, text, code and the fields that its code has. */
export function expectRefusal(reply: Reply, msg: string, refusal: Refusal = {}): void {
  const { status = 400, code = 'BAD_REQUEST', ...fields } = refusal;
  expect({ status: reply.status, ...reply.body }).toEqual({ status, result: 'error', msg, code, ...fields });
}

export const expectMissing = (reply: Reply, name: string): void =>
  expectRefusal(reply, `Missing '${name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', var_name: name });

export const expectBadQueue = (reply: Reply, queueId: string): void =>
  expectRefusal(reply, `Bad event queue ID: ${queueId}`, { code: 'BAD_EVENT_QUEUE_ID', queue_id: queueId });
