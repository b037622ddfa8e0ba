import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** The domains of AWS in its partitions, and of its dual-stack addresses. */
const OF_AWS = /\.(amazonaws\.(com|com\.cn|eu)|api\.aws)$/;

const EMBEDDED = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Emulators require a signature but do not verify it; computing one would take a fifth of each call. */
export const UNVERIFIED = {
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};
const signer: NonNullable<DynamoDBClientConfig['signer']> = {
  sign: async (request) => Object.assign(request, { headers: { ...request.headers, ...UNVERIFIED } }),
};

/** Other work per call whose result emulators do not read. */
const plainly = { signer, disableClockSkewCorrection: true, defaultUserAgentProvider: async () => [] };

/** How to sign requests to a DynamoDB address: for AWS with the credentials of the environment. */
export const credentialsFor = (
  endpoint: string,
): Pick<
  DynamoDBClientConfig,
  'credentials' | 'signer' | 'disableClockSkewCorrection' | 'defaultUserAgentProvider'
> => (OF_AWS.test(new URL(endpoint).hostname) ? {} : { credentials: { ...EMBEDDED }, ...plainly });
