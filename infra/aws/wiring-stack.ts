import { Stack, type StackProps } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { listFunctions } from './functions.ts';
import { GatewayPermissions } from './gateway-permissions.ts';
import { names } from './names.ts';
import { Rules } from './rules.ts';

export interface WiringStackProps extends StackProps {
  stage: string;
  alarmTopicArn: string | undefined;
}

/**
 * What lets functions be called and what watches them: permissions, rules and alarms. None of it has a name or an
 * address that anybody knows, so it can move and be made again at any time.
 */
export class WiringStack extends Stack {
  constructor(scope: Construct, id: string, { stage, alarmTopicArn, ...props }: WiringStackProps) {
    super(scope, id, props);
    const functions = listFunctions();
    // Read anew at every deployment, since an API that is made again has another id.
    const apiId = StringParameter.valueForStringParameter(this, names(stage).apiIdParameter);
    new GatewayPermissions(this, 'Gateway', { stage, apiId, functions });
    new Rules(this, 'Rules', stage);
    new Alarms(this, 'Alarms', { stage, apiId, functions, topicArn: alarmTopicArn });
  }
}
