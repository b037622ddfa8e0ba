import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { DeclaredErrorClass } from '#shared/domain/errors.ts';
import type { TestReport } from '../proofs.ts';

type Name = keyof typeof endpoints;

/** By operation, the events that a test has seen it cause, and the codes of errors that it answered with. */
export type Shown = Record<string, string[]>;

const LIMITED_GUESTS = 'a guest who sees only some people meets others by it, or loses sight of them';
const CHANNELS_OF_GROUPS = 'private channels that a group may know of appear and go, as by its members';
const EARLY = 'sent to a client that registers before the jobs of its new account have run';
const FIRST = 'sent if the message is, or was, the first of its channel';
const AS_SENDING = 'decided by the rule for sending, which has its test';

/** Declared events that no test shows, with the reason. */
export const exempt: Partial<Record<Name, Record<string, string>>> = {
  addChannelFeed: { STREAM_DOES_NOT_EXIST: 'answered if the channel is archived while the feed is added' },
  answerMcp: { 'stream/update': FIRST },
  createChannel: { 'realm_user/add': LIMITED_GUESTS },
  createScheduledMessage: { TOPIC_WILDCARD_MENTION_NOT_ALLOWED: AS_SENDING },
  createUser: { 'stream/create': EARLY },
  deactivateOwnUser: { 'realm_user/remove': LIMITED_GUESTS },
  editMessage: { TOPIC_WILDCARD_MENTION_NOT_ALLOWED: AS_SENDING },
  editScheduledMessage: { TOPIC_WILDCARD_MENTION_NOT_ALLOWED: AS_SENDING },
  editUserGroupSubgroups: {
    'stream/create': CHANNELS_OF_GROUPS,
    'stream/delete': CHANNELS_OF_GROUPS,
    'subscription/peer_add': CHANNELS_OF_GROUPS,
  },
  reactivateUser: { 'stream/create': EARLY },
  receiveWebhook: {
    'attachment/update': AS_SENDING,
    'realm_user/add': LIMITED_GUESTS,
    'stream/update': FIRST,
    STREAM_DOES_NOT_EXIST: AS_SENDING,
    STREAM_WILDCARD_MENTION_NOT_ALLOWED: AS_SENDING,
    TOPIC_WILDCARD_MENTION_NOT_ALLOWED: AS_SENDING,
    UNSUPPORTED_WEBHOOK_EVENT_TYPE: 'answered with status 200, so that the program does not try again',
  },
  reportMessage: { 'stream/update': FIRST },
  sendOlderTestNotification: {
    INTERNAL_SERVER_ERROR_ON_BOUNCER: 'thrown by the relay alone, as for a newer test',
  },
};

const codesOf = ({ errors }: AnyEndpoint): string[] =>
  errors.map((declared: DeclaredErrorClass) => new declared('').code ?? '');

/**
 * The events and errors that operations declare and no passed test of a run has seen, as `operation: event or code`.
 */
export function listNotShown(report: TestReport): string[] {
  const seen = new Set(
    report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed')
      .flatMap(({ meta }) => Object.entries(meta?.shown ?? {}))
      .flatMap(([operation, outcomes]) => outcomes.map((outcome) => `${operation}: ${outcome}`)),
  );
  // Operations with several names, for clients of earlier versions, are one.
  const operations = Map.groupBy(
    Object.entries(endpoints) as [Name, AnyEndpoint][],
    ([, { handle }]) => handle,
  );
  return [...operations.values()].flatMap((group) => {
    const names = group.map(([name]) => name);
    const declared = new Set(group.flatMap(([, endpoint]) => [...endpoint.emits, ...codesOf(endpoint)]));
    return [...declared]
      .filter((outcome) => names.every((name) => exempt[name]?.[outcome] === undefined))
      .filter((outcome) => names.every((name) => !seen.has(`${name}: ${outcome}`)))
      .map((outcome) => `${names[0]}: ${outcome}`);
  });
}
