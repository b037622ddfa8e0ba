import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type Environment, Stack, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { EntranceStack } from '#infra/aws/entrance-stack.ts';
import { usesOf } from '#infra/aws/functions.ts';
import { environmentFor, statementsFor } from '#infra/aws/permissions.ts';
import { PollerStack } from '#infra/aws/poller-stack.ts';
import { readSettings } from '#infra/aws/settings/read-settings.ts';
import { WiringStack } from '#infra/aws/wiring-stack.ts';
import { POLLER_WORDS } from '#infra/poller/watch.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { ROOT } from '#tests/infra/root.ts';
import { firstOf, rawPropertiesOf, resourcesOf, statementsOf } from './fixture.ts';

const settings = readSettings({ poller: 'web-function', region: 'eu-west-1' });
const SECRET = '{{resolve:secretsmanager:team-chat-prod-origin:SecretString:::}}';
const folder = temporaryFolder('poller');

/** The stacks that `poller=web-function` adds, checked by the CDK and by cdk-nag. @throws the rules that they fail */
function synthesize(env: Environment, place: string) {
  const codeFolder = mkdtempSync(join(folder, 'code-'));
  writeFileSync(join(codeFolder, 'index.js'), '');
  const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  const app = new App({ context, outdir: join(folder, place), builtinCloudFormationValidation: true });
  const poller = new PollerStack(app, 'Poller', { env, settings, codeFolder });
  const entrance = new EntranceStack(app, 'Entrance', { env, settings });
  const wiring = new WiringStack(app, 'Wiring', { env, settings });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { directory } = app.synth();
  const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
  const [ofPoller, ofEntrance, ofWiring] = [poller, entrance, wiring].map((stack) =>
    Template.fromStack(stack),
  );
  return { report, poller: ofPoller!, entrance: ofEntrance!, wiring: ofWiring! };
}

let synthesized: ReturnType<typeof synthesize>;
beforeAll(() => {
  synthesized = synthesize({ account: '123456789012', region: 'eu-west-1' }, 'known');
});

const revision = () => firstOf(synthesized.poller, 'AWS::Lambda::WebFunctionRevision');

describe('The web function', () => {
  it('Passes the rules of the CDK and of cdk-nag, in a known account and in any', () => {
    expect(
      synthesized.report.pluginReports.flatMap(({ violations }: { violations: object[] }) => violations),
    ).toEqual([]);
    expect(() => synthesize({}, 'any')).not.toThrow();
  });

  it('Runs as many polls at once as Lambda allows, each up to the timeout of the distribution', () => {
    const { Properties } = revision();
    const { MaxConcurrencyPerEnvironment, TimeoutSeconds } = Properties.ServiceConfig;
    expect([MaxConcurrencyPerEnvironment, TimeoutSeconds]).toEqual([128, 60]);
    expect(Properties.BuildConfig.RuntimeConfig.Runtime).toBe('nodejs24.x');
  });

  it('Accepts unsigned requests, since it authenticates its callers itself', () => {
    const endpoints = resourcesOf(synthesized.poller, 'AWS::Lambda::WebFunctionEndpoint');
    expect(endpoints.map(([, { Properties }]) => Properties.AuthType)).toEqual(['ApplicationManaged']);
  });

  it('Has the rights and the variables of the function that it replaces, and the secret of the distribution', () => {
    const stack = new Stack(new App(), 'Of', { env: { account: '123456789012', region: 'eu-west-1' } });
    const around = {
      settings,
      deployedAtSeconds: 1,
      busArn: 'bus',
      schedulerRoleArn: 'role',
      scheduleDeadLetterArn: 'letters',
      logGroupArn: 'logs',
    };
    const uses = usesOf(endpoints.getEvents);
    const [, role] = resourcesOf(synthesized.poller, 'AWS::IAM::Role').find(([id]) => id.startsWith('Role'))!;
    const rights = statementsOf(role).map(({ effect, actions, condition }) => ({
      effect,
      actions: actions.toSorted(),
      condition,
    }));
    const expected = statementsFor(stack, uses, around).map((statement) => statement.toStatementJson());
    expect(rights).toEqual(
      expected.map(({ Effect, Action, Condition }) => ({
        effect: Effect,
        actions: [Action].flat().toSorted(),
        condition: Condition,
      })),
    );
    const variables = revision().Properties.ServiceConfig.EnvironmentVariables;
    expect(variables).toEqual(stack.resolve(environmentFor(stack, uses, around)));
    expect(variables.ORIGIN_SECRET_NAME).toBe('team-chat-prod-origin');
  });

  it('Has the rights of deleting a queue', () => {
    const { table, areas = [] } = usesOf(endpoints.getEvents);
    const deleting = usesOf(endpoints.deleteQueue);
    expect(deleting.table).toBe(table);
    for (const area of deleting.areas ?? []) expect(areas).toContain(area);
    expect(Object.keys(deleting).sort()).toEqual(Object.keys(usesOf(endpoints.getEvents)).sort());
  });
});

describe('The alarms of the web function', () => {
  const propertiesOf = (type: string) => rawPropertiesOf(synthesized.wiring, type);

  it.each(Object.values(POLLER_WORDS))('Fire at the first such line: %s', (words) => {
    const filters = propertiesOf('AWS::Logs::MetricFilter').filter(
      ({ FilterPattern }) => FilterPattern === `"${words}"`,
    );
    expect(filters).toMatchObject([
      {
        MetricTransformations: [
          { MetricName: 'Failures', MetricNamespace: 'team-chat/prod', MetricValue: '1' },
        ],
      },
    ]);
  });

  it('Exist for a web function only', () => {
    const wiring = new WiringStack(new App(), 'Plain', { settings: readSettings({}) });
    expect(JSON.stringify(Template.fromStack(wiring).toJSON())).not.toContain('Poller');
  });
});

describe('The distribution of the web function', () => {
  const config = () =>
    firstOf(synthesized.entrance, 'AWS::CloudFront::Distribution').Properties.DistributionConfig;

  it('Leads the path of events to the web function, waits a minute for it, and sends it the secret', () => {
    const [behaviour, ...others] = config().CacheBehaviors;
    expect(others).toEqual([]);
    expect(behaviour.PathPattern).toBe('/api/v1/events');
    expect(behaviour.AllowedMethods).toHaveLength(7);
    const origin = config().Origins.find(({ Id }: { Id: string }) => Id === behaviour.TargetOriginId);
    expect(origin.CustomOriginConfig).toMatchObject({
      OriginProtocolPolicy: 'https-only',
      OriginReadTimeout: 60,
    });
    expect(origin.OriginCustomHeaders).toEqual([{ HeaderName: 'x-origin-secret', HeaderValue: SECRET }]);
    expect(JSON.stringify(origin.DomainName)).toContain('pollerhost');
  });

  it('Caches nothing, and everything else goes to the API', () => {
    const { CacheBehaviors, DefaultCacheBehavior } = config();
    const ignored = { PathPattern: undefined, TargetOriginId: undefined };
    expect({ ...CacheBehaviors[0], ...ignored }).toEqual({ ...DefaultCacheBehavior, ...ignored });
    expect(config().WebACLId).toBeUndefined();
  });
});
