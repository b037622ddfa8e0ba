import type { TestProject } from 'vitest/node';
import { type Engine, startEngine } from '#infra/local/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker. */
    dynamodbEndpoints: string[];
  }
}

/**
 * An embedded DynamoDB for each worker, or the one that DYNAMODB_ENDPOINT names; every service has its own table. One
 * for all would answer them one after the other.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DYNAMODB_ENDPOINT;
  const engines: Engine[] = given
    ? []
    : await Promise.all(
        Array.from({ length: Number(project.vitest.config.maxWorkers) }, () => startEngine()),
      );
  project.provide('dynamodbEndpoints', given ? [given] : engines.map(({ endpoint }) => endpoint));
  return async () => {
    await Promise.all(engines.map((engine) => engine.stop()));
  };
}
