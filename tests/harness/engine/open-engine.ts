import { type Engine, startEngine } from '#infra/local/engine.ts';

/** An embedded DynamoDB of its own, or the one that DYNAMODB_ENDPOINT names. */
export async function openEngine(): Promise<Engine> {
  const endpoint = process.env.DYNAMODB_ENDPOINT;
  return endpoint ? { endpoint, stop: async () => undefined } : startEngine();
}
