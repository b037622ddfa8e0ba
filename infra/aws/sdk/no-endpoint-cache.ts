/**
 * Replaces the cache of discovered endpoints in bundles: DynamoDB discovers endpoints only if the environment
 * enables it, which ours does not.
 */
export class EndpointCache {}
