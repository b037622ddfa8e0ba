import * as z from 'zod/mini';
import { requireScope } from '#shared/api/auth/access.ts';
import { callOperation, type OperationCaller } from '#shared/api/call-operation.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { TokenScope } from '#shared/domain/api-tokens/api-token.ts';
import { BadRequest } from '#shared/domain/errors.ts';

/** What tools, resources and prompts work with: the operations of the API, as the caller may use them. */
export interface Agent extends OperationCaller {
  /** The address of the service, without a slash at its end. */
  url: string;
}

/** A part of the answer of a tool. */
export type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };

/** The answer of a tool: fields for programs, and a text for models; without a text, the fields as JSON. */
export interface ToolAnswer {
  fields: Record<string, unknown>;
  text?: string;
  content?: Content[];
}

export interface Tool<Schema extends z.ZodMiniObject = z.ZodMiniObject> {
  name: string;
  title: string;
  description: string;
  /** A token must have it; the tool is not listed otherwise. */
  scope: TokenScope;
  /** A second call with the same arguments changes nothing more. */
  isIdempotent?: true;
  /** It may change or remove what others see. */
  isDestructive?: true;
  input: Schema;
  run(args: z.output<Schema>, agent: Agent): Promise<ToolAnswer>;
}

/** A tool of any arguments, as the list holds it. */
// biome-ignore lint/suspicious/noExplicitAny: the list holds tools of every schema
export type AnyTool = Tool<any>;

/** Declares a tool; the type of its arguments flows into `run`. */
export const tool = <Schema extends z.ZodMiniObject>(declared: Tool<Schema>): Tool<Schema> => declared;

/** Calls an operation of the API as the agent's person. */
export const call = <E extends AnyEndpoint>(
  agent: Agent,
  endpoint: E,
  params: Record<string, unknown> = {},
  key?: string,
): Promise<z.output<E['result']>> => callOperation(endpoint, agent, params, key);

/** A field of arguments with its description. */
export const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema =>
  schema.check(z.describe(description)) as Schema;

export const channelField = described(z.union([z.int(), z.string()]), 'The channel, by its id or name');
export const topicField = described(z.string(), 'The topic within the channel');
export const peopleField = described(
  z.array(z.union([z.int(), z.string()])).check(z.minLength(1), z.maxLength(100)),
  'People, by ids or e-mail addresses, for a direct message',
);
export const limitField = described(
  z._default(z.int().check(z.gte(1), z.lte(50)), 20),
  'How many to return at most',
);

/** A place for messages: a topic of a channel, or people. */
export const placeFields = {
  channel: z.optional(channelField),
  topic: z.optional(topicField),
  people: z.optional(peopleField),
};
interface GivenPlace {
  channel?: number | string | undefined;
  topic?: string | undefined;
  people?: (number | string)[] | undefined;
}
export type Place = { channelId: number; topic: string } | { userIds: number[] };

/** The named place. @throws BadRequest unless exactly one is named, or for unknown channels and people */
export async function findPlace(agent: Agent, { channel, topic, people }: GivenPlace): Promise<Place> {
  if ((channel === undefined) === (people === undefined))
    throw new BadRequest('Name either a channel with a topic, or people.');
  if (people) return { userIds: await findUserIds(agent, people) };
  if (topic === undefined) throw new BadRequest('A channel needs a topic.');
  return { channelId: await findChannelId(agent, channel as number | string), topic };
}

/** The id of a channel that the caller may know of. @throws BadRequest */
export async function findChannelId(agent: Agent, channel: number | string): Promise<number> {
  if (typeof channel === 'number') return channel;
  if (/^\d+$/.test(channel)) return Number(channel);
  const { getChannelId } = await import('../../channels/get-channel-id.ts');
  const { stream_id } = await call(asReader(agent), getChannelId, { stream: channel.replace(/^#/, '') });
  return stream_id;
}

async function findUserIds(agent: Agent, people: (number | string)[]): Promise<number[]> {
  const { findUserByAddress } = await import('#shared/store/users/addresses.ts');
  return Promise.all(
    people.map(async (person) => {
      if (typeof person === 'number') return person;
      if (/^\d+$/.test(person)) return Number(person);
      const user = await findUserByAddress(agent.services.table, agent.caller, person);
      if (!user) throw new BadRequest(`No person has the address '${person}'.`);
      return user.userId;
    }),
  );
}

/** The agent as one that may read, to find the place of what its own scopes let it do. */
export const asReader = (agent: Agent): Agent => {
  const { token } = agent.caller;
  if (!token) return agent;
  return { ...agent, caller: { ...agent.caller, token: { ...token, scopes: [...token.scopes, 'read'] } } };
};

/** The terms of a narrow to a place. */
export const narrowTo = (place: Place): object[] =>
  'userIds' in place
    ? [{ operator: 'dm', operand: place.userIds }]
    : [
        { operator: 'channel', operand: place.channelId },
        { operator: 'topic', operand: place.topic },
      ];

/** The parameters of an operation that writes to a place. */
export const addressOf = (place: Place): { type: string; to: unknown; topic?: string } =>
  'userIds' in place
    ? { type: 'direct', to: place.userIds }
    : { type: 'channel', to: place.channelId, topic: place.topic };

/** Whether the caller may use a tool. */
export const isAllowed = ({ caller }: Agent, { scope }: AnyTool): boolean =>
  caller.token === undefined || caller.token.scopes.includes(scope);

/** @throws InsufficientScope */
export const requireTool = ({ caller }: Agent, { scope }: AnyTool): void => requireScope(caller, scope);
