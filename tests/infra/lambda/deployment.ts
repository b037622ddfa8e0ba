import { endpoints } from '#functions/routes.ts';
import { fileNameOf } from '#infra/aws/functions.ts';
import { buildFunctions } from '#infra/build/build.ts';
import type { HttpReply } from '#shared/api/http.ts';
import { toGatewayEvent } from '#tests/conformance/requests.ts';
import { createWorld, type World } from '#tests/conformance/world.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { atFileEnd, temporaryFolder } from '#tests/harness/file-end.ts';
import { JWT_KEY } from '#tests/harness/json-web-token.ts';
import { deployedFunctions } from '#tests/harness/lambda/deployed-functions.ts';
import { FakeAws } from '#tests/harness/lambda/fake-aws.ts';
import type { LambdaFunction } from '#tests/harness/lambda/lambda-function.ts';
import { addPhone, type Phone, RELAY_ACCOUNT } from '#tests/harness/relay.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';

export type Name = keyof typeof endpoints;

/** A deployment whose functions run in processes of their own, and a local service on the same table and files. */
export interface Deployed {
  service: TestService;
  world: World;
  phone: Phone;
  aws: FakeAws;
  functions: Map<string, LambdaFunction>;
}

const CONTEXT = {
  mailSender: 'chat@example.org',
  pushRelayUrl: 'https://relay.example.org',
  pushRelayUser: RELAY_ACCOUNT.user,
  bigBlueButtonUrl: 'https://calls.example.org',
  gifProvider: 'giphy',
  zoomAccountId: 'account',
  zoomClientId: 'app',
  jsonWebTokens: 'true',
  eventSocket: 'true',
};

/** Only AWS knows it; the fake of AWS has the connections. */
export const SOCKET_URL = 'wss://sockets.example.org/live';

let deployed: Deployed | undefined;

/** The deployment of these tests, from `beforeAll` on. */
export function theDeployment(): Deployed {
  if (!deployed) throw new Error('The deployment has not been started');
  return deployed;
}

/** Builds and starts the deployment before the tests of a file, and ends all of its processes after them. */
export async function startDeployment(): Promise<void> {
  await useWireEngine();
  const folder = temporaryFolder('lambda');
  await buildFunctions(folder);
  deployed = await deploy(folder);
  const { functions } = deployed;
  atFileEnd(() => Promise.all([...functions.values()].map((deployed) => deployed.shutDown())));
}

async function deploy(folder: string): Promise<Deployed> {
  const tableName = 'bundles';
  const service = await startTestService({}, { tableName, dynamodbEndpoint: engineEndpoint() });
  const world = await createWorld(service);
  const phone = await addPhone(service, world.caller);
  const { secret, files, config } = service.services;
  const parameters = {
    '/team-chat/prod/api-key-secret': await secret(),
    '/team-chat/prod/push-relay-key': RELAY_ACCOUNT.key,
    '/team-chat/prod/gif-key': 'sample key',
    '/team-chat/prod/jwt-key': JWT_KEY,
    '/team-chat/prod/zoom-secret': config.zoom?.clientSecret ?? '',
  };
  const secrets = { 'team-chat-prod-calls': config.bigBlueButton.secret ?? '' };
  const aws = await FakeAws.run({ parameters, secrets, files });
  const environment = {
    AWS_ENDPOINT_URL: aws.url,
    AWS_ENDPOINT_URL_DYNAMODB: engineEndpoint(),
    TABLE_NAME: tableName,
    EVENT_SOCKET_URL: SOCKET_URL,
    PUSH_RELAY_URL: world.relay.url,
    GIF_API_URL: 'http://127.0.0.1:9',
    BIG_BLUE_BUTTON_URL: config.bigBlueButton.url ?? '',
    ZOOM_TOKEN_URL: config.zoom?.tokenUrl ?? '',
    ZOOM_API_URL: config.zoom?.apiUrl ?? '',
  };
  // Pictures alone have taken 15 s on a machine with twenty times its work.
  const patience = 10;
  const functions = deployedFunctions({ folder, context: CONTEXT, environment, patience });
  aws.invoke = (functionName, event) =>
    answerOf(functionOf(functionName.replace('team-chat-prod-', '')), event);
  return { service, world, phone, aws, functions };
}

/** @throws Error when no function is deployed under this name */
export function functionOf(name: string): LambdaFunction {
  const found = theDeployment().functions.get(name);
  if (!found) throw new Error(`No function ${name} is deployed`);
  return found;
}

/** Calls an operation as the gateway does. @throws Error when the function fails */
export async function callFunction(name: Name, params: Params, caller: Client): Promise<HttpReply> {
  const deployed = functionOf(fileNameOf(name));
  return answerOf(deployed, toGatewayEvent(endpoints[name], params, caller.authorization));
}

/** The fields of a success. @throws Error for any other answer */
export async function callForJson(name: Name, params: Params, caller: Client): Promise<Params> {
  const { statusCode, body } = await callFunction(name, params, caller);
  if (statusCode !== 200) throw new Error(body);
  return JSON.parse(body);
}

/** The result of a function for an event. @throws Error if it fails */
export async function answerOf<Answer>(deployed: LambdaFunction, event: unknown): Promise<Answer> {
  const outcome = await deployed.invoke(event);
  if (outcome.kind === 'failure') throw new Error(`${outcome.errorMessage}\n${deployed.output}`);
  return outcome.payload as Answer;
}
