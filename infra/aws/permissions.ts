import { Stack, Token, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { folders } from '#shared/table/areas.ts';
import { arns } from './arns.ts';
import type { FunctionUses } from './functions.ts';
import { grantsFor, type Places } from './grants.ts';
import { DELIVERY_FUNCTION, names, OUTSIDE_FUNCTION, PUSHER_FUNCTION } from './names.ts';
import { hasEntrance } from './settings/entrance.ts';
import { variablesOf } from './settings/read-settings.ts';
import type { Settings } from './settings/settings.ts';

/** Resources that the functions of a deployment share. */
export interface Surroundings {
  settings: Settings;
  deployedAtSeconds: number;
  busArn: string;
  schedulerRoleArn: string;
  scheduleDeadLetterArn: string;
  logGroupArn: string;
  /** Absent without the event socket. */
  eventSocketUrl?: string | undefined;
  /** Of the stage of the WebSocket API; absent but for the functions of sockets. */
  connectionsArn?: string | undefined;
}

/** The file's path in the image layer. */
const IMAGE_WORKER_FILE = '/opt/wasm-vips/image-worker.mjs';

/** The policy statements for these uses. */
export function statementsFor(
  scope: IConstruct,
  uses: FunctionUses,
  around: Surroundings,
): PolicyStatement[] {
  const { settings } = around;
  const arn = arns(Stack.of(scope), settings.stage);
  const places: Places = {
    ...arn,
    logGroup: around.logGroupArn,
    pushRelayKeyParameter: settings.pushRelayUrl === undefined ? undefined : arn.pushRelayKeyParameter,
    gifKeyParameter: settings.gifProvider === undefined ? undefined : arn.gifKeyParameter,
    jwtKeyParameter: settings.jsonWebTokens ? arn.jwtKeyParameter : undefined,
    zoomSecretParameter: settings.zoomClientId === undefined ? undefined : arn.zoomSecretParameter,
    originSecret: hasEntrance(settings) ? arn.originSecret : undefined,
    callsSecret: settings.bigBlueButtonUrl === undefined ? undefined : arn.callsSecret,
    bus: around.busArn,
    mailIdentity: mailIdentityArn(Stack.of(scope), settings),
    mailConfiguration: arn.mailConfiguration,
    schedulerRole: around.schedulerRoleArn,
    connections: around.connectionsArn,
    outsideFunction: arn.function(OUTSIDE_FUNCTION),
    pusherFunction: arn.function(PUSHER_FUNCTION),
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

/** The SES identity of the sender: its domain, or the configured `mailIdentity`. */
function mailIdentityArn(stack: Stack, { mailSender, mailIdentity }: Settings): string | undefined {
  if (mailSender === undefined) return undefined;
  const [, domain] = /@([^\s<>@]+)>?$/.exec(mailSender) ?? [];
  const identity = mailIdentity ?? domain;
  return identity && stack.formatArn({ service: 'ses', resource: 'identity', resourceName: identity });
}

/** The parameters with secrets by which functions sign, and verify or fetch tokens. */
function signingVariables(uses: FunctionUses, settings: Settings): Record<string, string> {
  const name = names(settings.stage);
  return {
    ...(uses.secret && { SECRET_PARAMETER: name.secretParameter }),
    ...(uses.jsonWebTokens &&
      settings.jsonWebTokens && {
        SECRET_PARAMETER: name.secretParameter,
        JWT_KEY_PARAMETER: name.jwtKeyParameter,
      }),
    ...(uses.zoom &&
      settings.zoomClientId !== undefined && { ZOOM_SECRET_PARAMETER: name.zoomSecretParameter }),
  };
}

/** The environment variables for these uses, as `shared/adapters/aws-services.ts` reads them. */
export function environmentFor(
  scope: IConstruct,
  uses: FunctionUses,
  around: Surroundings,
): Record<string, string> {
  const { settings } = around;
  const { stage } = settings;
  const name = names(stage);
  return {
    // Every function creates its table object, even if it never uses it.
    TABLE_NAME: name.table,
    ACCESS_LOG: 'true',
    ...variablesOf(settings),
    ...(uses.mail && settings.mailSender !== undefined && { MAIL_CONFIGURATION: name.mailConfiguration }),
    ...(uses.relay &&
      settings.pushRelayUser !== undefined && {
        PUSH_RELAY_USER: settings.pushRelayUser,
        PUSH_RELAY_KEY_PARAMETER: name.pushRelayKeyParameter,
      }),
    // Functions that answer requests accept only those from the distribution, if there is one.
    ...(uses.requestCounts && hasEntrance(settings) && { ORIGIN_SECRET_NAME: name.originSecret }),
    ...(uses.calls && settings.bigBlueButtonUrl !== undefined && { CALLS_SECRET_NAME: name.callsSecret }),
    ...(uses.gifs && settings.gifProvider !== undefined && { GIF_KEY_PARAMETER: name.gifKeyParameter }),
    // This changes with every deployment, so only functions that need it get it.
    ...(uses.deploymentTime && { DEPLOYED_AT: String(around.deployedAtSeconds) }),
    ...(uses.socketAddress && around.eventSocketUrl && { EVENT_SOCKET_URL: around.eventSocketUrl }),
    ...signingVariables(uses, settings),
    ...((uses.files || uses.erases) && { FILES_BUCKET: name.filesBucket(Stack.of(scope)) }),
    ...(uses.images && { IMAGE_WORKER: IMAGE_WORKER_FILE }),
    ...(uses.bus && { BUS_NAME: name.bus }),
    ...(uses.outside && { OUTSIDE_FUNCTION: name.function(OUTSIDE_FUNCTION) }),
    ...(uses.scheduler && {
      SCHEDULE_GROUP: name.scheduleGroup,
      DELIVERY_FUNCTION_ARN: arns(Stack.of(scope), stage).function(DELIVERY_FUNCTION),
      SCHEDULER_ROLE_ARN: around.schedulerRoleArn,
      SCHEDULE_DEAD_LETTER_ARN: around.scheduleDeadLetterArn,
    }),
  };
}

/** Explains to cdk-nag why the names of schedules and files end in a wildcard. */
export function acknowledgeWildcards(stack: Stack, stage: string): void {
  // cdk-nag names resources as in the template, with `<...>` for unresolved parts.
  const known = (value: string, placeholder: string) => (Token.isUnresolved(value) ? placeholder : value);
  const partition = known(stack.partition, '<AWS::Partition>');
  const place = `${known(stack.region, '<AWS::Region>')}:${known(stack.account, '<AWS::AccountId>')}`;
  const schedules = `arn:${partition}:scheduler:${place}:schedule/${names(stage).scheduleGroup}/*`;
  const bucket = `team-chat-${stage}-${known(stack.account, '<AWS::AccountId>')}-${known(stack.region, '<AWS::Region>')}`;
  for (const folder of folders)
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
