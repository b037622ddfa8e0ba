import { resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { createDeployment } from './aws/deployment.ts';

/**
 * The entry point of `cdk`, which calls it in the folder of `cdk.json`: the stacks of a deployment, with the settings of
 * `-c name=value` or that file.
 */
const app = new App();
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
createDeployment(app, {
  functionsFolder: resolve('dist/functions'),
  deployedAtSeconds: Math.floor(Date.now() / 1000),
  env: { ...(account && { account }), ...(region && { region }) },
});
app.synth();
