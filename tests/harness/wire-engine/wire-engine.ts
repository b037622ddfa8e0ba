import { givenEndpoint } from '#tests/harness/table/test-table.ts';
import { type Engine, startEngine } from './engine.ts';

let running: Engine | undefined;

/** An emulator of DynamoDB of its own, or the DynamoDB that DYNAMODB_ENDPOINT names. */
export const openEngine = async (): Promise<Engine> =>
  givenEndpoint === undefined ? startEngine() : { endpoint: givenEndpoint, stop: async () => undefined };

/** Starts such an engine for the tests of a file. */
export async function useWireEngine(): Promise<void> {
  running = await openEngine();
}

/** The address of the engine of this file. */
export function engineEndpoint(): string {
  if (!running) throw new Error('The file does not use an engine, or it has not been started yet');
  return running.endpoint;
}
