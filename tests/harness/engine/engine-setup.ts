import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type Engine, startEngine } from '#infra/local/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a worker asks for a fresh engine by its number; undefined where `DYNAMODB_ENDPOINT` names a DynamoDB. */
    engineHost: string | undefined;
  }
}

/**
 * Starts an embedded DynamoDB for each worker that asks for one, in place of the one that it had. One for all would answer
 * them one after the other.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.DYNAMODB_ENDPOINT) return async () => undefined;
  const engines = new Map<string, Engine>();
  const host = createServer(async ({ url: worker = '' }, response) => {
    const before = engines.get(worker);
    const engine = await startEngine();
    engines.set(worker, engine);
    response.end(engine.endpoint);
    await before?.stop();
  });
  await once(host.listen(0, '127.0.0.1'), 'listening');
  project.provide('engineHost', `http://127.0.0.1:${(host.address() as AddressInfo).port}`);
  return async () => {
    host.close();
    host.closeAllConnections();
    await Promise.all([...engines.values()].map((engine) => engine.stop()));
  };
}
