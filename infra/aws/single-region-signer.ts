import { SignatureV4 } from '@smithy/signature-v4';

/**
 * Stands in for the signer of multi-region endpoints, which the service does not have: signs for one region, with
 * all that the SDK otherwise brings along for the choice left out.
 */
export { SignatureV4 as SignatureV4MultiRegion };
