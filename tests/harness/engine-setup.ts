import type { TestProject } from 'vitest/node';
import { startEngine } from '#infra/local/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
  }
}

/** One embedded DynamoDB for the whole run, or the one that DYNAMODB_ENDPOINT names; every service has its own table. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) {
    project.provide('dynamodbEndpoint', given);
    return async () => {};
  }
  const engine = await startEngine({});
  project.provide('dynamodbEndpoint', engine.endpoint);
  return () => engine.stop();
}
