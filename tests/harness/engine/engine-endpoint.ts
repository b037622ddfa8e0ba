import { inject } from 'vitest';

/** The address of the DynamoDB that this worker of the test run has. */
export function engineEndpoint(): string {
  const endpoints = inject('dynamodbEndpoints');
  const endpoint = endpoints[Number(process.env.VITEST_POOL_ID) % endpoints.length];
  if (endpoint === undefined) throw new Error('The worker has no number');
  return endpoint;
}
