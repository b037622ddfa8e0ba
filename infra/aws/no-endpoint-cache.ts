/**
 * Stands in for the cache of discovered endpoints in a function's bundle: DynamoDB discovers endpoints only where
 * the environment asks for it, and ours does not.
 */
export class EndpointCache {
  getEndpoint(): undefined {
    return undefined;
  }
}
