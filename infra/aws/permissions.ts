import { Stack, Token, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { readMaxFile, readPollLimits, readTailCopies } from '#shared/runtime/config.ts';
import type { FunctionUses } from './functions.ts';
import { grantsFor, type Places } from './grants.ts';
import { arns, DELIVERY_FUNCTION, names, originSecret } from './names.ts';

/** What the functions of one deployment share. */
export interface Surroundings {
  stage: string;
  deployedAtSeconds: number;
  busArn: string;
  schedulerRoleArn: string;
  scheduleDeadLetterArn: string;
  logGroupArn: string;
  /** Absent where devices are not notified. */
  pushRelay?: PushRelay | undefined;
}

/** The push relay that an operator named, and by what it knows this deployment. */
export interface PushRelay {
  url: string;
  user: string;
}

/** Where a function finds what the image layer holds. */
const IMAGE_WORKER_FILE = '/opt/wasm-vips/image-worker.mjs';

/** Exactly what a function may do that uses these parts of the service. */
export function statementsFor(
  scope: IConstruct,
  uses: FunctionUses,
  around: Surroundings,
): PolicyStatement[] {
  const arn = arns(Stack.of(scope), around.stage);
  const places: Places = {
    ...arn,
    logGroup: around.logGroupArn,
    pushRelayKeyParameter: around.pushRelay && arn.pushRelayKeyParameter,
    bus: around.busArn,
    mailIdentity: mailIdentityArn(scope),
    schedulerRole: around.schedulerRoleArn,
  };
  return grantsFor(uses, places).map(
    ({ effect, actions, resources, conditions }) =>
      new PolicyStatement({
        effect: Effect[effect === 'Allow' ? 'ALLOW' : 'DENY'],
        actions,
        resources,
        ...(conditions && { conditions }),
      }),
  );
}

/** The address that mails come from, as the deployment names it; without one it sends none. */
const mailSenderOf = (scope: IConstruct): string | undefined =>
  scope.node.tryGetContext('mailSender') || undefined;

/** What is verified with SES for the sender: its domain, or what `mailIdentity` says. */
function mailIdentityArn(scope: IConstruct): string | undefined {
  const [, domain] = /@([^\s<>@]+)>?$/.exec(mailSenderOf(scope) ?? '') ?? [];
  const identity = scope.node.tryGetContext('mailIdentity') || domain;
  return (
    identity && Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: identity })
  );
}

/** All functions have to agree on this, since any may write to the log. */
function tailCopiesOf(scope: IConstruct): Record<string, string> {
  const copies: unknown = scope.node.tryGetContext('tailCopies');
  return copies === undefined ? {} : { TAIL_COPIES: String(readTailCopies(String(copies))) };
}

/** How many polls of a person may wait at once, where the deployment says so. @throws Error for what is no such number */
function pollsPerPerson(scope: IConstruct): Record<string, string> {
  const polls: unknown = scope.node.tryGetContext('pollsPerPerson');
  return polls === undefined ? {} : { POLLS_PER_PERSON: String(readPollLimits(String(polls)).person) };
}

/** What files may come to, in mebibytes, where the deployment says otherwise. @throws Error for what is no number */
function uploadQuotas(scope: IConstruct): Record<string, string> {
  const variables = {
    maxFileMebibytes: 'MAX_FILE_MIB',
    uploadQuotaMebibytes: 'UPLOAD_QUOTA_MIB',
    accountUploadQuotaMebibytes: 'ACCOUNT_UPLOAD_QUOTA_MIB',
    dailyUploadQuotaMebibytes: 'DAILY_UPLOAD_QUOTA_MIB',
  };
  const given = Object.entries(variables).flatMap(([option, variable]): [string, string][] => {
    const quota: unknown = scope.node.tryGetContext(option);
    if (quota === undefined) return [];
    if (!/^\d{1,9}$/.test(String(quota)))
      throw new Error(`${option} must be a number of mebibytes, not ${JSON.stringify(quota)}`);
    if (variable === 'MAX_FILE_MIB') readMaxFile(String(quota));
    return [[variable, String(quota)]];
  });
  return Object.fromEntries(given);
}

/** How many channels there may be, where the deployment says otherwise. @throws Error for what is no number */
function channelLimits(scope: IConstruct): Record<string, string> {
  const variables = { maxChannels: 'MAX_CHANNELS', channelsPerDay: 'CHANNELS_PER_DAY' };
  const given = Object.entries(variables).flatMap(([option, variable]): [string, string][] => {
    const limit: unknown = scope.node.tryGetContext(option);
    if (limit === undefined) return [];
    if (!/^[1-9]\d{0,5}$/.test(String(limit)))
      throw new Error(`${option} must be a number from 1 to 999999, not ${JSON.stringify(limit)}`);
    return [[variable, String(limit)]];
  });
  return Object.fromEntries(given);
}

/** The settings that a function needs for what it uses, as `shared/runtime/aws-services.ts` reads them. */
export function environmentFor(
  scope: IConstruct,
  uses: FunctionUses,
  around: Surroundings,
): Record<string, string> {
  const name = names(around.stage);
  return {
    // Every function makes its table object, also one that is never asked to use it.
    TABLE_NAME: name.table,
    ACCESS_LOG: 'true',
    ...(scope.node.tryGetContext('webPublicChannels') === 'true' && { WEB_PUBLIC_CHANNELS: 'true' }),
    ...uploadQuotas(scope),
    ...channelLimits(scope),
    // Whoever sends has to know whether to wake the worker that notifies devices.
    ...(around.pushRelay && { PUSH_RELAY_URL: around.pushRelay.url }),
    ...(uses.relay &&
      around.pushRelay && {
        PUSH_RELAY_USER: around.pushRelay.user,
        PUSH_RELAY_KEY_PARAMETER: name.pushRelayKeyParameter,
      }),
    ...tailCopiesOf(scope),
    ...pollsPerPerson(scope),
    // Those who answer requests let in only what came through the distribution, where there is one.
    ...(uses.requestCounts &&
      scope.node.tryGetContext('webAclArn') !== undefined && { ORIGIN_SECRET: originSecret(around.stage) }),
    ...(mailSenderOf(scope) && { MAIL_SENDER: mailSenderOf(scope) }),
    ...(scope.node.tryGetContext('inviterMinAgeDays') && {
      INVITER_MIN_AGE_DAYS: String(scope.node.tryGetContext('inviterMinAgeDays')),
    }),
    // Every deployment changes the functions that tell of it, so the others do without.
    ...(uses.deploymentTime && { DEPLOYED_AT: String(around.deployedAtSeconds) }),
    ...(uses.secret && { SECRET_PARAMETER: name.secretParameter }),
    ...(uses.files && { FILES_BUCKET: name.filesBucket(Stack.of(scope)) }),
    ...(uses.images && { IMAGE_WORKER: IMAGE_WORKER_FILE }),
    ...(uses.bus && { BUS_NAME: name.bus }),
    ...(uses.scheduler && {
      SCHEDULE_GROUP: name.scheduleGroup,
      DELIVERY_FUNCTION_ARN: arns(Stack.of(scope), around.stage).function(DELIVERY_FUNCTION),
      SCHEDULER_ROLE_ARN: around.schedulerRoleArn,
      SCHEDULE_DEAD_LETTER_ARN: around.scheduleDeadLetterArn,
    }),
  };
}

/** Tells the checks why the names of schedules and files end in a wildcard. */
export function acknowledgeWildcards(stack: Stack, stage: string): void {
  // The checks name a resource as it would stand in the template, with `<...>` for what is not known yet.
  const known = (value: string, placeholder: string) => (Token.isUnresolved(value) ? placeholder : value);
  const partition = known(stack.partition, '<AWS::Partition>');
  const place = `${known(stack.region, '<AWS::Region>')}:${known(stack.account, '<AWS::AccountId>')}`;
  const schedules = `arn:${partition}:scheduler:${place}:schedule/${names(stage).scheduleGroup}/*`;
  const bucket = `team-chat-${stage}-${known(stack.account, '<AWS::AccountId>')}-${known(stack.region, '<AWS::Region>')}`;
  for (const folder of ['exports', 'pictures', 'uploads'])
    Validations.of(stack).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:${partition}:s3:::${bucket}/${folder}/*]`,
      reason:
        'Files are named when they are kept; each folder of the bucket holds one kind of file of the service.',
    });
  Validations.of(stack).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::${schedules}]`,
    reason: 'Each schedule is named after its scheduled message; the group holds nothing else.',
  });
}

/** What `-c pushRelayUrl=...` and `-c pushRelayUser=...` say. @throws when one is missing or the first is no address */
export function readPushRelay(scope: IConstruct): PushRelay | undefined {
  const url: unknown = scope.node.tryGetContext('pushRelayUrl');
  const user: unknown = scope.node.tryGetContext('pushRelayUser');
  if (url === undefined && user === undefined) return undefined;
  if (typeof url !== 'string' || URL.parse(url)?.protocol !== 'https:')
    throw new Error('pushRelayUrl is not the https address of a push relay');
  if (typeof user !== 'string' || user === '') throw new Error('pushRelayUser is missing');
  return { url, user };
}
