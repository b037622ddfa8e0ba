import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Setting } from '#infra/aws/settings/kinds.ts';
import { readSettings, variablesOf } from '#infra/aws/settings/read-settings.ts';
import { settings } from '#infra/aws/settings/settings.ts';
import { defaultConfig, readConfig } from '#shared/runtime/config.ts';
import { ROOT } from '#tests/infra/root.ts';

const TOPIC = 'arn:aws-us-gov:sns:us-gov-west-1:123456789012:on-call';
const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b';
const WEB_ACL = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/WebAcl-abc/0a1b2c3d';

describe('The settings of a deployment', () => {
  it('Pass as written in `cdk.json`, with defaults that fit a fresh account', () => {
    const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
    expect(readSettings(context)).toEqual({
      stage: 'prod',
      firewall: false,
      requestsPerAddress: 3000,
      poller: 'function',
      eventSocket: true,
      gatherSeconds: 0,
      accountConcurrency: 1000,
      requestsPerSecond: 1000,
      requestBurst: 2000,
      otherRequestsPerSecond: 50,
      tableKey: 'aws-owned',
      logDays: 30,
      tracing: false,
      platformLogs: false,
      jsonWebTokens: false,
    });
  });

  it('May be texts, numbers or booleans, as the command line and JSON give them', () => {
    expect(readSettings({ logDays: 90, maxChannels: '70', webPublicChannels: true })).toMatchObject({
      logDays: 90,
      maxChannels: 70,
      webPublicChannels: true,
    });
  });

  it.each([
    ['stage', 'Prod', 'stage must be a name of up to 16 small letters and digits, not "Prod".'],
    ['region', 'Ireland', 'region must be a region like eu-west-1'],
    ['tags', 'team', 'tags must be a list like team=chat,costCenter=42'],
    ['tags', 'aws:team=chat', 'tags must be'],
    ['alarmTopicArn', 'on-call', 'alarmTopicArn must be the ARN of an SNS topic'],
    ['monthlyBudgetDollars', '0', 'monthlyBudgetDollars must be a number from 1'],
    ['budgetEmail', 'ops', 'budgetEmail must be an e-mail address'],
    ['domainName', 'https://chat.example.org', 'domainName must be a domain name'],
    ['certificateArn', 'arn:aws:iam::1:x', 'certificateArn must be the ARN of a certificate in ACM'],
    ['pollerConcurrency', '0', 'pollerConcurrency must be a number from 1'],
    ['eventSocket', 'yes', 'eventSocket must be true or false'],
    ['tracing', 'on', 'tracing must be true or false'],
    ['platformLogs', '1', 'platformLogs must be true or false'],
    ['logDays', '31', 'logDays must be one of 1, 3, 5, 7, 14, 30'],
    [
      'uploadQuotaMebibytes',
      '1 GB',
      'uploadQuotaMebibytes must be a number from 1 to 999999999, not "1 GB".',
    ],
    ['maxFileMebibytes', '101', 'maxFileMebibytes must be a number from 1 to 100'],
    ['inviterMinAgeDays', 'a week', 'inviterMinAgeDays must be a number from 0 to 3650'],
    ['webPublicChannels', 'yes', 'webPublicChannels must be true or false'],
    ['mailSender', 'Kiln', 'mailSender must be a sender like'],
    ['pushRelayUrl', 'http://relay.example.com', 'pushRelayUrl must be an https address'],
    ['pushRelayUrl', 'relay', 'pushRelayUrl must be an https address'],
    ['bigBlueButtonUrl', 'http://calls.example.com', 'bigBlueButtonUrl must be an https address'],
    ['zoomAccountId', 'our account', 'zoomAccountId must be an id that Zoom has assigned'],
    ['zoomAccountId', 'ours', 'zoomAccountId and zoomClientId go together.'],
    ['zoomClientId', 'ours', 'zoomAccountId and zoomClientId go together.'],
    ['jsonWebTokens', 'on', 'jsonWebTokens must be true or false'],
    ['requestsPerAddress', 'many', 'requestsPerAddress must be a number from 10'],
    ['webAclArn', 'true', 'webAclArn must be the ARN of a global web ACL in us-east-1'],
    [
      'webAclArn',
      'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/a/b',
      'webAclArn must be the ARN of a global web ACL in us-east-1',
    ],
  ])('Refuse %s=%s', (name, value, message) => {
    expect(() => readSettings({ [name]: value })).toThrow(message);
  });

  it('Refuse every limit that is no number', () => {
    for (const [name, { kind }] of Object.entries(settings as Record<string, Setting>))
      if (kind.must.startsWith('a number'))
        expect(() => readSettings({ [name]: 'many' }), name).toThrow(`${name} must be a number from`);
  });

  it('Accept each number from the least to the greatest of their page, and none beyond', () => {
    for (const [name, { kind }] of Object.entries(settings as Record<string, Setting>)) {
      const [, from, to] = /^a number from (\d+) to (\d+)$/.exec(kind.must)?.map(Number) ?? [];
      if (from === undefined || to === undefined) continue;
      const read = (value: number) => kind.schema.safeParse(String(value));
      for (const good of [from, to]) expect(read(good), name).toEqual({ success: true, data: good });
      for (const bad of [from - 1, to + 1]) expect(read(bad).success, `${name}=${bad}`).toBe(false);
    }
  });

  it('Accept the days that CloudWatch supports, and names with special characters', () => {
    for (const days of [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653])
      expect(readSettings({ logDays: days }).logDays).toBe(days);
    expect(readSettings({ tags: 'team=chat,url=a=b,empty=' }).tags).toEqual({
      ...{ team: 'chat', url: 'a=b', empty: '' },
    });
    for (const bad of ['team=chat,', 'team=chat,=x', 'team=chat,AWS:x=y', 'a=b,c'])
      expect(() => readSettings({ tags: bad }), bad).toThrow('tags must be');
    for (const poller of ['function', 'web-function']) expect(readSettings({ poller }).poller).toBe(poller);
    expect(() => readSettings({ poller: 'server' })).toThrow('poller must be function or web-function');
    expect(readSettings({ tracing: 'true', platformLogs: 'false' })).toMatchObject({
      ...{ tracing: true, platformLogs: false },
    });
  });

  it('Report all wrong settings at once', () => {
    expect(() => readSettings({ logDays: 'x', maxChannels: '0' })).toThrow(
      /^maxChannels must be a number from 1 to 999999, not "0"\.\nlogDays must|^logDays must[^\n]*\nmaxChannels must/,
    );
  });

  it('Refuse an unknown name, and suggest a known one', () => {
    expect(() => readSettings({ pollerConcurency: '500' })).toThrow(
      'There is no setting pollerConcurency; is pollerConcurrency meant?',
    );
    expect(() => readSettings({ zebra: '1' })).toThrow('There is no setting zebra.');
    expect(() => readSettings({ STAGE: '1' })).toThrow('There is no setting STAGE; is stage meant?');
    // Two letters of difference are a slip, three are another word.
    expect(() => readSettings({ stagexy: '1' })).toThrow('There is no setting stagexy; is stage meant?');
    expect(() => readSettings({ stagexyz: '1' })).toThrow('There is no setting stagexyz.');
    expect(() => readSettings({ 'cli-telemetry': false })).not.toThrow();
    expect(readSettings({ 'aws:cdk:bundling-stacks': [], '@aws-cdk/core:x': true })).toBeDefined();
  });

  it.each([
    [{ pollerConcurrency: '901' }, 'pollerConcurrency can be at most 900'],
    [{ pollerConcurrency: '500', accountConcurrency: '10' }, 'pollerConcurrency can be at most 0'],
    [{ domainName: 'chat.example.org' }, 'domainName and certificateArn go together'],
    [
      { domainName: 'chat.example.org', certificateArn: CERTIFICATE, region: 'eu-north-1' },
      'The certificate must be in eu-north-1, not in eu-west-1',
    ],
    [
      { domainName: 'chat.example.org', certificateArn: CERTIFICATE, webAclArn: WEB_ACL },
      'The certificate must be in us-east-1, not in eu-west-1: CloudFront',
    ],
    [
      { domainName: 'chat.example.org', certificateArn: CERTIFICATE, poller: 'web-function' },
      'The certificate must be in us-east-1, not in eu-west-1: CloudFront',
    ],
    [{ firewall: 'true', region: 'cn-north-1' }, 'There is no firewall for cn-north-1'],
    [
      { poller: 'web-function', region: 'cn-north-1' },
      'poller=web-function cannot be had in cn-north-1: CloudFront',
    ],
    [
      { poller: 'web-function', pollerConcurrency: '500' },
      'pollerConcurrency reserves executions that poller=web-function leaves unused',
    ],
    [
      { monthlyBudgetDollars: '5', budgetEmail: 'a@b.org', region: 'us-gov-west-1' },
      'AWS Budgets is set up by hand for us-gov-west-1',
    ],
    [{ pushRelayUser: 'us' }, 'pushRelayUrl is missing'],
    [{ pushRelayUrl: 'https://relay.example.com' }, 'pushRelayUser is missing'],
    [{ monthlyBudgetDollars: '50' }, 'give one of them'],
    [{ certificateArn: CERTIFICATE }, 'domainName and certificateArn go together'],
    [{ webAclArn: WEB_ACL, region: 'us-gov-west-1' }, 'There is no firewall for us-gov-west-1'],
    [{ pollerConcurrency: '2', accountConcurrency: '101' }, 'can be at most 1: AWS leaves 100 of'],
    [{ pollerConcurrency: '1', accountConcurrency: '50' }, 'can be at most 0: AWS leaves 100 of'],
  ])('Refuse the contradiction %j', (context, message) => {
    expect(() => readSettings(context)).toThrow(message);
  });

  it.each([
    { domainName: 'chat.example.org', certificateArn: CERTIFICATE },
    { domainName: 'chat.example.org', certificateArn: CERTIFICATE, region: 'eu-west-1' },
    {
      domainName: 'chat.example.org',
      certificateArn: CERTIFICATE.replace('eu-west-1', 'us-east-1'),
      webAclArn: WEB_ACL,
    },
    { firewall: 'true', region: 'eu-west-1' },
    { firewall: 'true', webAclArn: WEB_ACL },
    { region: 'cn-north-1', poller: 'function' },
    { poller: 'web-function', region: 'us-east-1' },
    { monthlyBudgetDollars: '5', budgetEmail: 'a@b.org', region: 'eu-west-1' },
    { budgetEmail: 'a@b.org' },
    { monthlyBudgetDollars: '5', alarmTopicArn: TOPIC },
    { pushRelayUrl: 'https://relay.example.com', pushRelayUser: 'us' },
    { pollerConcurrency: '1', accountConcurrency: '101' },
  ])('Accept the consistent %j', (context) => {
    expect(() => readSettings(context)).not.toThrow();
  });

  it('Accept consistent settings', () => {
    expect(
      readSettings({ pollerConcurrency: '900', alarmTopicArn: TOPIC, monthlyBudgetDollars: 50 }),
    ).toMatchObject({ pollerConcurrency: 900, alarmTopicArn: TOPIC, monthlyBudgetDollars: 50 });
  });
});

describe('The limits that functions read from a variable', () => {
  const limited = Object.entries(settings as Record<string, Setting>).filter(([, { variable }]) => variable);

  it.each(limited)(
    'Include %s with the default of its page, and another value changes it',
    (name, setting) => {
      const isNumber = setting.kind.must.startsWith('a number');
      const isSwitch = setting.kind.must === 'true or false';
      if (!isNumber && !isSwitch) return expect(setting.otherwise).not.toMatch(/\d/);
      const read = (value: string) => readConfig({ [setting.variable ?? '']: value });
      expect(withoutStart(read(setting.otherwise ?? ''))).toEqual(withoutStart(defaultConfig));
      const changed = isSwitch ? 'true' : '7';
      expect(variablesOf(readSettings({ [name]: changed }))).toEqual({ [setting.variable ?? '']: changed });
      expect(withoutStart(read(changed))).not.toEqual(withoutStart(defaultConfig));
    },
  );
});

const withoutStart = ({ startedAtSeconds: _, ...config }: typeof defaultConfig) => config;
