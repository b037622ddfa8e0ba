import { SignatureV4 } from '@smithy/signature-v4';

/**
 * Replaces the signer for multi-region endpoints, which the service does not use, by the one for a single
 * region.
 */
export { SignatureV4 as SignatureV4MultiRegion };
