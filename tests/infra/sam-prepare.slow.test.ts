import { expect, test } from 'vitest';
import { LOCAL_REGION } from '#infra/local/create-table.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { openEngine } from '#tests/harness/wire-engine/wire-engine.ts';
import { runNode } from './run-node.ts';

/** An emulator's answers to the bus, the group of schedules and the bucket. */
type Answer = 'made' | 'there' | 'refused';

let answers: { bus: Answer; schedules: Answer; bucket: Answer };
let asked: string[];

const engine = await openEngine();
const emulator = await serveLocally((request, response) => {
  const bus = String(request.headers['x-amz-target'] ?? '').endsWith('CreateEventBus');
  const what = bus ? 'bus' : request.url?.startsWith('/schedule-groups') ? 'schedules' : 'bucket';
  asked.push(`${request.method} ${what}`);
  const answer = answers[what];
  const status = answer === 'made' ? 200 : answer === 'there' ? 409 : 403;
  const error =
    answer === 'there' ? (bus ? 'ResourceAlreadyExistsException' : 'ConflictException') : 'Refused';
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(answer !== 'made' && { 'x-amzn-errortype': error }),
  });
  response.end(JSON.stringify(answer === 'made' ? {} : { __type: error, message: answer }));
});
async function prepare(differences: Partial<typeof answers>) {
  asked = [];
  answers = { bus: 'made', schedules: 'made', bucket: 'made', ...differences };
  return runNode('infra/sam/prepare.ts', [], {
    AWS_ENDPOINT_URL: emulator.url,
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
  });
}

test.each<Answer>(['made', 'there'])(
  'The command succeeds if the resources of the local template are %s',
  async (answer) => {
    const { status, stdout } = await prepare({ bus: answer, schedules: answer, bucket: answer });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'Table, bucket, bus and group of schedules are there.\n',
    });
    expect(asked).toEqual(['POST bus', 'POST schedules', 'PUT bucket']);
    const { endpoint } = engine;
    const table = new DynamoTable({ tableName: 'team-chat-prod', endpoint, region: LOCAL_REGION });
    expect(await table.find(organizationKeys.organization())).toBeUndefined();
  },
);

test.each(['bus', 'schedules', 'bucket'])(
  'An emulator that refuses the %s is named as the cause',
  async (what) => {
    const { status, stdout, stderr } = await prepare({ [what]: 'refused' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      what === 'bucket' ? /^Error: The bucket was not made: status 403\n$/ : /refused\n$/,
    );
  },
);
