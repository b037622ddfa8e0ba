import { RegionInfo } from 'aws-cdk-lib/region-info';
import { describe, expect, it } from 'vitest';
import { domainOf } from '#shared/adapters/aws-domain.ts';
import { DEPLOY_TIMEOUT_MS, deploy, variablesIn } from './fixture.ts';

describe('The addresses of AWS', () => {
  it('Have the domain of the partition in every public region that the CDK knows', () => {
    const regions = RegionInfo.regions.filter(({ partition }) => !partition?.startsWith('aws-iso'));
    expect(regions.length).toBeGreaterThan(30);
    expect(Object.fromEntries(regions.map(({ name }) => [name, domainOf(name)]))).toEqual(
      Object.fromEntries(regions.map(({ name, domainSuffix }) => [name, domainSuffix])),
    );
  });
});

describe('A deployment in another partition of AWS', () => {
  it.each([
    ['cn-north-1', 'aws-cn', {}],
    // The region that the settings name goes before that of the profile.
    ['us-gov-west-1', 'aws-us-gov', { region: 'us-gov-west-1' }],
  ])(
    'Uses its own resources and hosts: %s',
    (region, partition, named) => {
      const { stateful, stateless, wiring, environments } = deploy({
        env: { account: '123456789012', region: 'region' in named ? 'eu-west-1' : region },
        isValidated: false,
        context: { mailSender: 'Kiln <chat@example.org>', ...named },
      });
      expect(new Set(Object.values(environments))).toEqual(new Set([`aws://123456789012/${region}`]));
      const texts = [stateful, stateless, wiring].map((template) => JSON.stringify(template.toJSON()));
      for (const text of texts) expect(text.match(/arn:aws:[^"]*/)?.[0]).toBeUndefined();
      expect(texts[1]).toContain(`arn:${partition}:dynamodb:${region}:123456789012:table/team-chat-prod`);
      const { FILES_ORIGIN } = variablesIn(stateless, 'answer-unrouted');
      const bucket = `team-chat-prod-123456789012-${region}`;
      expect(FILES_ORIGIN).toEqual({
        'Fn::Join': ['', [`https://${bucket}.s3.${region}.`, { Ref: 'AWS::URLSuffix' }]],
      });
      for (const text of texts)
        expect(text.replaceAll(/"[a-z]+\.amazonaws\.com"/g, 'a service principal')).not.toContain(
          'amazonaws.com',
        );
    },
    DEPLOY_TIMEOUT_MS,
  );
});
