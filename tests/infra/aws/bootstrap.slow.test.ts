import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createTable, LOCAL_REGION } from '#infra/local/create-table.ts';
import { findClosure } from '#shared/store/organization/organization.ts';
import { findAccount } from '#shared/store/users/users.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { CREDENTIALS } from '#tests/harness/environment.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { startEngine } from '#tests/harness/wire-engine/engine.ts';
import { ROOT } from '#tests/infra/root.ts';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const TABLE = 'team-chat-test';
const SECRET = '/team-chat/test/api-key-secret';
const parameters = new Map([['/team-chat/test/url', 'https://chat.example.com']]);
const types = new Map<string, string>();
/** The next answer of SSM about secrets, by the operation. */
const refusals = new Map<string, string>();

const parameterStore = await serveLocally(async (request, response) => {
  const { Name, Value, Type, WithDecryption } = (await json(request)) as {
    Name: string;
    Value?: string;
    Type?: string;
    WithDecryption?: boolean;
  };
  const operation = String(request.headers['x-amz-target']).replace('AmazonSSM.', '');
  const isPut = operation === 'PutParameter';
  const known = parameters.get(Name);
  const answer = (reply: object, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(reply));
  };
  const refusal = refusals.get(operation);
  if (refusal && Name.endsWith('/api-key-secret')) {
    refusals.delete(operation);
    return answer({ __type: refusal, message: 'Not this time' }, 400);
  }
  if (!isPut && known === undefined) return answer({ __type: 'ParameterNotFound' }, 400);
  const isSealed = types.has(Name) && !WithDecryption;
  if (!isPut) return answer({ Parameter: { Name, Value: isSealed ? `sealed ${known}` : known } });
  if (known !== undefined) return answer({ __type: 'ParameterAlreadyExists' }, 400);
  parameters.set(Name, Value!);
  types.set(Name, Type!);
  answer({ Version: 1 });
});
const engine = await startEngine();
await createTable({ endpoint: engine.endpoint, tableName: TABLE });

/** Runs the command like a person, against fakes of the two services that it calls. */
function bootstrap(...args: string[]): Promise<Outcome> {
  const env = {
    ...process.env,
    AWS_REGION: LOCAL_REGION,
    ...CREDENTIALS,
    AWS_ENDPOINT_URL_SSM: parameterStore.url,
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    OWNER_PASSWORD: 'correct horse battery',
  };
  const script = join(ROOT, 'infra/aws/bootstrap-organization.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const tableOf = (tableName: string) =>
  new DynamoTable({ tableName, endpoint: engine.endpoint, region: LOCAL_REGION });

describe('npm run bootstrap:organization', () => {
  const create = (...others: string[]) =>
    bootstrap('--stage', 'test', '--name', 'Example', '--owner-email', 'owner@example.com', ...others);

  it('Creates the secret, the organization and its owner, and prints how to sign in', async () => {
    const { code, stdout, stderr } = await create();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(types.get(SECRET)).toBe('SecureString');
    expect(parameters.get(SECRET)).toMatch(/^[0-9a-f]{64}$/);
    expect(stdout).toMatch(/Created.*\nOwner: +owner@example\.com\nAPI key: [A-Za-z0-9]{32}\n/);
    expect(stdout).toMatch(/curl .* 'https:\/\/chat\.example\.com\/api\/v1\/users\/me'/);
    expect(stdout).not.toContain(parameters.get(SECRET));
    expect(stdout).not.toContain('correct horse battery');
  });

  it('Changes nothing the second time', async () => {
    const secret = parameters.get(SECRET);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const [first, second] = [await create(), await create()];
    expect(parameters.get(SECRET)).toBe(secret);
    expect(second.stdout).toBe(first.stdout);
    expect(second.stdout).toMatch(/exists already/);
  });

  it('Gives the owner the permission to change addresses on request, also later', async () => {
    const mayChange = async () =>
      (await findAccount(tableOf(TABLE), 'owner@example.com'))?.mayChangeEmails ?? false;
    expect(await mayChange()).toBe(false);
    const { code } = await create('--owner-may-change-emails');
    expect([code, await mayChange()]).toEqual([0, true]);
    await create();
    expect(await mayChange()).toBe(true);
  });

  it('Leaves an organization deactivated that an owner deactivated, unless asked to reactivate it', async () => {
    const table = tableOf(TABLE);
    const closure = { atSeconds: 1, byUserId: 4 };
    await table.write({ kind: 'put', item: { ...organizationKeys.closure(), ...closure } });
    expect((await create()).code).toBe(0);
    expect(await findClosure(table)).toMatchObject(closure);
    expect((await create('--reactivate')).code).toBe(0);
    expect(await findClosure(table)).toBeUndefined();
  });

  it('Migrates the accounts of an earlier version, so that their keys work at once', async () => {
    const table = tableOf(TABLE);
    await table.write({ kind: 'delete', key: signInKeys.lookedThrough() });
    expect((await create()).code).toBe(0);
    expect(await table.find(signInKeys.lookedThrough())).toHaveProperty('secretPrint');
  });

  it('Names missing requirements in one line', async () => {
    const noName = await bootstrap('--owner-email', 'owner@example.com');
    expect(noName).toMatchObject({ code: 2, stdout: '' });
    expect(noName.stderr).toMatch(/^--name is missing.*\n$/);
    const notDeployed = await bootstrap('--stage', 'other', '--name', 'x', '--owner-email', 'o@example.com');
    expect(notDeployed).toMatchObject({ code: 1, stdout: '' });
    expect(notDeployed.stderr).toMatch(/^The stage other is not deployed.*\n$/);
  });

  it.each([
    [['--name', ' ', '--owner-email', 'o@example.com'], '--name is missing; see --help.'],
    [['--name', 'Kiln', '--owner-email', ' '], '--owner-email is missing; see --help.'],
    [
      ['--name', 'Kiln', '--owner-email', 'o@example.com', '--url', 'chat.example.com'],
      '--url must be an http or https address.',
    ],
  ])('Refuses %j, and changes nothing', async (args, reason) => {
    const before = new Map(parameters);
    expect(await bootstrap(...args)).toEqual({ code: 2, stdout: '', stderr: `${reason}\n` });
    expect(parameters).toEqual(before);
  });

  it('Accepts another table, address and name of the owner than the stack has', async () => {
    await createTable({ endpoint: engine.endpoint, tableName: 'another' });
    const others = ['--table', 'another', '--url', 'http://127.0.0.1:1//', '--owner-name', 'Ada'];
    const { code, stdout } = await create(...others);
    expect(code).toBe(0);
    expect(stdout).toContain("'http://127.0.0.1:1/api/v1/users/me'");
    expect(await findAccount(tableOf('another'), 'owner@example.com')).toMatchObject({ fullName: 'Ada' });
  });

  it.each(['GetParameter', 'PutParameter'])('Creates nothing if SSM refuses %s', async (operation) => {
    refusals.set(operation, 'AccessDeniedException');
    const before = new Map(parameters);
    const place = ['--stage', 'another', '--table', 'nowhere', '--url', 'https://chat.example.com'];
    expect(await create(...place)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'AccessDeniedException: Not this time\n',
    });
    expect(parameters).toEqual(before);
  });

  it('Uses the secret that another run has created meanwhile', async () => {
    const before = await create();
    refusals.set('GetParameter', 'ParameterNotFound');
    expect(await create()).toEqual(before);
    expect(refusals.size).toBe(0);
    expect(before.stdout).toMatch(/API key: [A-Za-z0-9]{32}\n/);
  });
});
