import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { createDeployment } from './aws/deployment.ts';

/** What `cdk` runs: the stacks of the stage that `-c stage=...` or `cdk.json` names. */
const app = new App();
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
createDeployment(app, {
  stage: app.node.getContext('stage'),
  functionsFolder: join(import.meta.dirname, '../dist/functions'),
  deployedAtSeconds: Math.floor(Date.now() / 1000),
  env: { ...(account && { account }), ...(region && { region }) },
  alarmTopicArn: app.node.tryGetContext('alarmTopicArn'),
});
app.synth();
