import { ArnFormat, SecretValue, type Stack } from 'aws-cdk-lib';
import { names } from './names.ts';

/** A dynamic reference to the distribution's secret, resolved at deployment. */
export const originSecret = (stage: string): string =>
  SecretValue.secretsManager(names(stage).originSecret).unsafeUnwrap();

/** The ARNs of these names in the account and region of the stack. */
export function arns(stack: Stack, stage: string) {
  const name = names(stage);
  const table = stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName: name.table });
  // Secrets Manager adds six letters to a name.
  const secret = (secretName: string): string =>
    stack.formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: `${secretName}-??????`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  const parameter = (path: string): string =>
    stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: path.slice(1) });
  return {
    table,
    filesBucket: `arn:${stack.partition}:s3:::${name.filesBucket(stack)}`,
    secretParameter: parameter(name.secretParameter),
    originSecret: secret(name.originSecret),
    callsSecret: secret(name.callsSecret),
    pushRelayKeyParameter: parameter(name.pushRelayKeyParameter),
    gifKeyParameter: parameter(name.gifKeyParameter),
    jwtKeyParameter: parameter(name.jwtKeyParameter),
    zoomSecretParameter: parameter(name.zoomSecretParameter),
    mailConfiguration: stack.formatArn({
      service: 'ses',
      resource: 'configuration-set',
      resourceName: name.mailConfiguration,
    }),
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
    /** Every stream that the table has had; the latest one is there. */
    tableStream: `${table}/stream/*`,
    jobDeadLetters: stack.formatArn({ service: 'sqs', resource: name.jobDeadLetters }),
    /** All rules on the bus. */
    rules: stack.formatArn({ service: 'events', resource: 'rule', resourceName: `${name.bus}/*` }),
  };
}
