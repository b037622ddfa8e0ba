import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { HttpReply } from '#shared/api/http.ts';
import { lambda } from '#shared/api/lambda.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Params } from '#tests/harness/client.ts';
import { diesAfter, keepsAnswer } from '#tests/harness/crash-injection.ts';
import { addPhone } from '#tests/harness/relay.ts';
import { startTestService } from '#tests/harness/service.ts';
import { toGatewayEvent } from './requests.ts';
import { samples } from './samples/samples.ts';
import { createWorld, restoreCaller } from './world.ts';

type Name = keyof typeof endpoints;
const posts = (Object.entries(endpoints) as [Name, AnyEndpoint][]).filter(([, { route }]) =>
  route.startsWith('POST '),
);
const creating = posts.filter(([, { creates }]) => creates);

const SETS = 'says how something is to be; to say it again changes nothing';
const MARKS = 'marks messages; marking them again changes nothing';
const NO_ACCOUNT = 'has no account that a key could belong to';

/** The POSTs that need no key, each with its reason. */
const WITHOUT_KEYS: Partial<Record<Name, string>> = {
  addApnsToken: SETS,
  addDefaultChannel: SETS,
  addFcmToken: SETS,
  answerMcp: 'tools that create something take a key as an argument',
  askForPasswordReset: `${NO_ACCOUNT}; few mails go to an address, and the newest link is used`,
  beginResumableUpload: 'announces a file; an incomplete one is deleted after a day, and counts until then',
  confirmAddress: `${NO_ACCOUNT}; few mails go to an address, and one of their links is used`,
  confirmNewAddress: 'uses its link up',
  createApiToken:
    'answers with a secret that is kept nowhere; a caller who tries again revokes the first token',
  createBigBlueButtonCall: 'keeps nothing; a caller who tries again gets another address',
  createZoomCall: 'keeps nothing here; a meeting that nobody opens ends at Zoom',
  deactivateOrganization: SETS,
  deactivateUserGroup: SETS,
  deleteTopic: SETS,
  editSubscriptionProperties: SETS,
  editUserGroupMembers: 'changes a set; existing members are refused',
  editUserGroupSubgroups: 'changes a set; existing members are refused',
  fetchApiKey: `${NO_ACCOUNT}, and creates nothing`,
  fetchApiKeyByJwt: `${NO_ACCOUNT}, and creates nothing`,
  giveConsent: 'gives a code that ends after a minute; a caller who tries again uses the newer one',
  issueOauthToken: `${NO_ACCOUNT}; a code and a refresh token are used once`,
  joinOrganization: `${NO_ACCOUNT}; the key of an invitation makes one account`,
  markAllAsRead: MARKS,
  markChannelAsRead: MARKS,
  markTopicAsRead: MARKS,
  markOnboardingStep: 'keeps nothing',
  reactivateUser: SETS,
  receiveWebhook: 'has the names of deliveries that its senders give',
  registerOauthClient: `${NO_ACCOUNT}, and keeps nothing`,
  regenerateApiKey: 'makes the credentials of its own retry worthless',
  regenerateBotApiKey: 'replaces a key; the newest one counts',
  registerPushDevice: SETS,
  registerQueue: 'answers with a snapshot that has to be fresh; a queue without polls ends by itself',
  removeClientDevice: 'removes something',
  renderMessage: 'keeps nothing',
  reportCspViolation: `${NO_ACCOUNT}, and keeps nothing`,
  runZcommand: SETS,
  sendOlderTestNotification: 'keeps nothing; a caller who tries again wants another one',
  sendTestNotification: 'keeps nothing; a caller who tries again wants another one',
  setEditTyping: 'concerns the moment',
  setOwnStatus: SETS,
  setTopicPolicy: SETS,
  setTyping: 'concerns the moment',
  setUserStatus: SETS,
  revokeOauthToken: `${NO_ACCOUNT}, and removes something`,
  resetPassword: `${NO_ACCOUNT}; the key is used once`,
  signIn: `${NO_ACCOUNT}; a browser holds the newest session`,
  updateMessageFlags: MARKS,
  updateMessageFlagsForNarrow: MARKS,
  updatePresence: 'concerns the moment',
  uploadOrganizationIcon: SETS,
  uploadOrganizationLogo: SETS,
  uploadOwnAvatar: SETS,
};

test('Every POST accepts idempotency keys, or is known not to need any', () => {
  const others = posts.filter(([, { creates }]) => !creates).map(([name]) => name);
  expect(others.sort()).toEqual(Object.keys(WITHOUT_KEYS).sort());
});

test('Only operations with an account and writes accept idempotency keys', () => {
  const all = Object.entries(endpoints) as [Name, AnyEndpoint][];
  for (const [name, { route, creates, allow, uses }] of all)
    if (creates) {
      expect(route, name).toMatch(/^POST /);
      expect(uses.table, name).toBe('write');
      expect(['anyone', 'userOrAnonymous'], name).not.toContain(allow);
    }
});

describe('A request with an idempotency key', async () => {
  const service = await startTestService();
  const world = await createWorld(service);
  await addPhone(service, world.caller);
  beforeEach(() => {
    // A process that dies leaves a line in the log.
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterAll(() => vi.restoreAllMocks());

  const call = (
    endpoint: AnyEndpoint,
    params: Params,
    key: string,
    services: Services = service.services,
  ) => {
    const event = toGatewayEvent(endpoint, params, world.caller.authorization);
    event.headers['idempotency-key'] = key;
    return lambda(endpoint, () => services)(event);
  };
  const expectReplay = (reply: HttpReply, body?: string): void => {
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.headers['Idempotent-Replayed']).toBe('true');
    if (body !== undefined) expect(reply.body).toBe(body);
  };

  /** Since the meter was reset, jobs included. */
  const expectNothingWritten = async (): Promise<void> => {
    await service.settle();
    expect(service.meter.write).toBe(0);
  };

  test.each(creating)('To %s happens once, and repeats its answer', async (name, endpoint) => {
    const params = await samples[name](world);
    const first = await call(endpoint, params, `${name} twice`);
    expect(first.statusCode, first.body).toBe(200);
    expect(first.headers).not.toHaveProperty('Idempotent-Replayed');
    await service.settle();
    service.meter.reset();
    expectReplay(await call(endpoint, params, `${name} twice`), first.body);
    const other = await call(endpoint, { ...params, something: 'else' }, `${name} twice`);
    expect(other.statusCode).toBe(422);
    expect(JSON.parse(other.body).code).toBe('IDEMPOTENCY_KEY_REUSED');
    await expectNothingWritten();
    await restoreCaller(world);
  });

  test.each(creating)(
    'To %s gets its answer in the retry if the first one was lost',
    async (name, endpoint) => {
      const params = await samples[name](world);
      const crashing = diesAfter(service.services, keepsAnswer);
      const first = await call(endpoint, params, `${name} dies`, crashing);
      expect(first.statusCode, first.body).toBe(500);
      await service.settle();
      service.meter.reset();
      expectReplay(await call(endpoint, params, `${name} dies`));
      await expectNothingWritten();
      await restoreCaller(world);
    },
  );
});
