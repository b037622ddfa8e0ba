import { describe, expect, test } from 'vitest';
import { credentialsFor } from '#shared/table/endpoint-credentials.ts';

describe('Requests to a DynamoDB at an address', () => {
  test.each([
    'https://dynamodb.eu-central-1.amazonaws.com',
    'https://dynamodb.cn-north-1.amazonaws.com.cn',
    'https://dynamodb.us-gov-west-1.amazonaws.com',
    'https://dynamodb.eu-west-1.api.aws',
    'https://vpce-1.dynamodb.us-east-1.vpce.amazonaws.com',
  ])('Have the credentials of the environment for AWS itself, at %s', (endpoint) =>
    expect(credentialsFor(endpoint)).toEqual({}),
  );

  test.each(['http://127.0.0.1:8000', 'http://dynamodb:8000', 'https://amazonaws.com.example.com'])(
    'Have the form of signed ones for an emulator at %s, which verifies none',
    async (endpoint) => {
      const { credentials, signer } = credentialsFor(endpoint);
      expect(credentials).toMatchObject({ accessKeyId: 'local', secretAccessKey: 'local' });
      const request = { method: 'POST', headers: { host: 'dynamodb' } };
      const signed = await (signer as { sign(one: object): Promise<object> }).sign(request);
      expect(signed).toEqual({
        method: 'POST',
        headers: {
          host: 'dynamodb',
          'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
          authorization: expect.stringMatching(
            /^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/[a-z0-9-]+\/dynamodb\/aws4_request, SignedHeaders=[a-z;-]+, Signature=\w+$/,
          ),
        },
      });
    },
  );
});
