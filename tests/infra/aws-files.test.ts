import { beforeAll, describe, expect, it } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { type Deployment, deploy, type Resource, resourcesOf } from './aws-fixture.ts';

const { endpoints } = listFunctions();
let deployment: Deployment;

beforeAll(() => {
  deployment = deploy();
});

describe('the bucket', () => {
  const bucket = () => resourcesOf(deployment.stateful, 'AWS::S3::Bucket')[0]![1];

  it('is private, encrypted, restorable and hard to delete', () => {
    const { Properties, DeletionPolicy } = bucket();
    expect(Properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(Properties.BucketEncryption.ServerSideEncryptionConfiguration).toHaveLength(1);
    expect(Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(DeletionPolicy).toBe('Retain');
  });

  it('forgets removed files after a while', () => {
    const [rule] = bucket().Properties.LifecycleConfiguration.Rules;
    expect(rule).toMatchObject({
      Status: 'Enabled',
      NoncurrentVersionExpiration: { NoncurrentDays: 30 },
      ExpiredObjectDeleteMarker: true,
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    });
  });

  it('refuses plain connections and old encryption, and lets nobody else in', () => {
    const [[, policy]] = resourcesOf(deployment.stateful, 'AWS::S3::BucketPolicy') as [[string, Resource]];
    const { Statement } = policy.Properties.PolicyDocument;
    expect(Statement.map(({ Effect }: { Effect: string }) => Effect)).toEqual(['Deny', 'Deny']);
    expect(JSON.stringify(Statement)).toContain('"aws:SecureTransport":"false"');
    expect(JSON.stringify(Statement)).toContain('"s3:TlsVersion"');
  });
});

describe('the functions', () => {
  const functionNamed = (name: string): Resource => {
    const all = resourcesOf(deployment.stateless, 'AWS::Lambda::Function').map(([, one]) => one);
    const found = all.find(({ Properties }) => Properties.FunctionName === `team-chat-prod-${name}`);
    if (!found) throw new Error(`No function ${name}`);
    return found;
  };

  it.each(endpoints)(
    'have the library for pictures where they look at some: $operation',
    ({ name, endpoint }) => {
      const { Layers, Environment } = functionNamed(name).Properties;
      expect(Layers?.length ?? 0).toBe(endpoint.uses.images ? 1 : 0);
      expect(Environment.Variables.IMAGE_LIBRARY).toBe(
        endpoint.uses.images ? '/opt/wasm-vips/vips-node.mjs' : undefined,
      );
    },
  );
});
