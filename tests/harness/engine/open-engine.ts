import { type Engine, startEngine } from '#infra/local/engine.ts';

/** Whether tests ask embedded engines, and none that DYNAMODB_ENDPOINT names. */
export const isEmbedded = process.env.DYNAMODB_ENDPOINT === undefined;

/** An embedded DynamoDB of its own, or the one that DYNAMODB_ENDPOINT names. */
export async function openEngine(): Promise<Engine> {
  const endpoint = process.env.DYNAMODB_ENDPOINT;
  return endpoint ? { endpoint, stop: async () => undefined } : startEngine();
}
