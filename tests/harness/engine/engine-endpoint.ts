import { inject } from 'vitest';

/** Each transaction makes the next ones slower, and half of the engine's work was that before there were fresh ones. */
const FILES_OF_AN_ENGINE = 25;

let endpoint = process.env.DYNAMODB_ENDPOINT;
let files = 0;

/** Set up before every file: after some of them the worker gets a fresh engine. */
export async function countFile(): Promise<void> {
  const host = inject('engineHost');
  if (host === undefined || files++ % FILES_OF_AN_ENGINE > 0) return;
  endpoint = await (await fetch(`${host}/${process.env.VITEST_POOL_ID}`)).text();
}

/** The address of the DynamoDB that this file has. */
export function engineEndpoint(): string {
  if (endpoint === undefined) throw new Error('No engine was started');
  return endpoint;
}
