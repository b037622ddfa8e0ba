import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

const EMBEDDED = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Emulators want to see the form of a signature and verify none: making one would be a fifth of each call. */
const UNVERIFIED = {
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};
const signer: NonNullable<DynamoDBClientConfig['signer']> = {
  sign: async (request) => Object.assign(request, { headers: { ...request.headers, ...UNVERIFIED } }),
};

/** What else is worked out for each call, and read by nobody there. */
const plainly = { signer, disableClockSkewCorrection: true, defaultUserAgentProvider: async () => [] };

/** How to sign for a DynamoDB at an address: for AWS itself with the credentials of the environment, as ever. */
export const credentialsFor = (
  endpoint: string,
): Pick<
  DynamoDBClientConfig,
  'credentials' | 'signer' | 'disableClockSkewCorrection' | 'defaultUserAgentProvider'
> =>
  new URL(endpoint).hostname.endsWith('.amazonaws.com') ? {} : { credentials: { ...EMBEDDED }, ...plainly };
