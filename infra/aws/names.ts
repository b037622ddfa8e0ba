import { ArnFormat, SecretValue, type Stack } from 'aws-cdk-lib';

/**
 * What the parts of one deployment are called. The stacks find each other by these names instead of by exported
 * values, which could never be taken back, and a function keeps its ARN when it is replaced.
 */
export const names = (stage: string) => ({
  table: `team-chat-${stage}`,
  bus: `team-chat-${stage}`,
  /** The names of buckets are those of the whole world, hence account and region. */
  filesBucket: ({ account, region }: Stack) => `team-chat-${stage}-${account}-${region}`,
  scheduleGroup: `team-chat-${stage}`,
  /** The SecureString under which API keys are derived: CloudFormation cannot create one, the bootstrap does. */
  secretParameter: `/team-chat/${stage}/api-key-secret`,
  /** The SecureString that the push relay knows us by; the operator writes it. */
  pushRelayKeyParameter: `/team-chat/${stage}/push-relay-key`,
  /** Where the stateless stack writes down the address of the API. */
  urlParameter: `/team-chat/${stage}/url`,
  /** Where it writes down the id of the API, which only AWS can choose. */
  apiIdParameter: `/team-chat/${stage}/api-id`,
  /** The secret by which the distribution before the API proves itself. */
  originSecret: `team-chat-${stage}-origin`,
  scheduleDeadLetters: `team-chat-${stage}-failed-schedules`,
  jobDeadLetters: `team-chat-${stage}-failed-jobs`,
  functionLogs: `/team-chat/${stage}/functions`,
  // Under this prefix the service that writes access logs may create its streams in every account.
  accessLogs: `/aws/vendedlogs/team-chat/${stage}/access`,
  /** Metrics that the service's own log lines are counted into. */
  metrics: `team-chat/${stage}`,
  function: (name: string) => `team-chat-${stage}-${name}`,
});

/** The function to which a schedule hands a due message. */
export const DELIVERY_FUNCTION = 'deliver-scheduled-message';
/** The function that does the jobs on the bus. */
export const JOB_FUNCTION = 'run-job';
/** The function that a hint on the bus wakes when devices may have to be notified. */
export const NOTIFIER_FUNCTION = 'notify-devices';
/** The function that finds what is overdue. */
export const SWEEP_FUNCTION = 'sweep';

/** The secret of the distribution, to be filled in when a stack is deployed. */
export const originSecret = (stage: string): string =>
  SecretValue.secretsManager(names(stage).originSecret).unsafeUnwrap();

/** The ARNs that belong to the names, in the account and region of the stack. */
export function arns(stack: Stack, stage: string) {
  const name = names(stage);
  const table = stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName: name.table });
  const parameter = (path: string): string =>
    stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: path.slice(1) });
  return {
    table,
    filesBucket: `arn:${stack.partition}:s3:::${name.filesBucket(stack)}`,
    secretParameter: parameter(name.secretParameter),
    pushRelayKeyParameter: parameter(name.pushRelayKeyParameter),
    schedules: stack.formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `${name.scheduleGroup}/*`,
    }),
    function: (functionName: string): string =>
      stack.formatArn({
        service: 'lambda',
        resource: 'function',
        resourceName: name.function(functionName),
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    jobDeadLetters: stack.formatArn({ service: 'sqs', resource: name.jobDeadLetters }),
    /** Every rule on the bus. */
    rules: stack.formatArn({ service: 'events', resource: 'rule', resourceName: `${name.bus}/*` }),
  };
}
