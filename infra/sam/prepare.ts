import { CreateEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { CreateScheduleGroupCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { AwsClient } from 'aws4fetch';
import { names } from '../aws/names.ts';
import { readCommandLine } from '../command-line.ts';
import { createTable, LOCAL_REGION } from '../local/create-table.ts';

const HELP = `Usage: npm run prepare:sam

Creates the table, the bucket, the bus and the schedule group in the emulators. Run it again after each restart of the
emulators, because they keep nothing.

Options:
  --help                     print this text

Environment variables:
  AWS_ENDPOINT_URL_DYNAMODB  DynamoDB (http://127.0.0.1:8000)
  AWS_ENDPOINT_URL           all other services (http://127.0.0.1:5000)

Example:
  npm run prepare:sam`;

/** Of the template that `npm run template:sam` writes. */
const BUCKET = 'team-chat-prod-000000000000-us-east-1';
const EXISTS = /AlreadyExists|Conflict/;

async function prepare(dynamodb: string, aws: string): Promise<void> {
  const { table, bus, scheduleGroup } = names('prod');
  const keys = { accessKeyId: 'local', secretAccessKey: 'local' };
  const common = { endpoint: aws, region: LOCAL_REGION, credentials: keys };
  await createTable({ endpoint: dynamodb, tableName: table });
  await new EventBridgeClient(common).send(new CreateEventBusCommand({ Name: bus })).catch(unlessItExists);
  await new SchedulerClient(common)
    .send(new CreateScheduleGroupCommand({ Name: scheduleGroup }))
    .catch(unlessItExists);
  const client = new AwsClient({ ...keys, service: 's3', region: LOCAL_REGION });
  const { status } = await client.fetch(`${aws}/${BUCKET}`, { method: 'PUT' });
  if (status !== 200 && status !== 409) throw new Error(`The bucket was not made: status ${status}`);
}

function unlessItExists(failure: Error): void {
  if (!EXISTS.test(failure.name)) throw failure;
}

readCommandLine(HELP);
const { AWS_ENDPOINT_URL = 'http://127.0.0.1:5000', AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:8000' } =
  process.env;
prepare(AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL).then(
  () => console.log('Table, bucket, bus and group of schedules are there.'),
  (failure) => {
    console.error(String(failure));
    process.exitCode = 1;
  },
);
