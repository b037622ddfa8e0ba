import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { messageRecord } from '#shared/api/contracts/messages.ts';
import { narrowParameter } from '#shared/api/contracts/narrow.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, type ValuesOf, withDefault } from '#shared/api/parameters.ts';
import { BadNarrow, BadRequest, MissingArgument, Unauthorized } from '#shared/domain/errors.ts';
import type { MessageStyle } from '#shared/domain/messages/record.ts';
import { readAnchor } from '#shared/domain/narrow/anchor.ts';
import { parseNarrow } from '#shared/domain/narrow/parse.ts';
import type { Term } from '#shared/domain/narrow/term.ts';
import { spectator } from '#shared/domain/users/user.ts';
import { describeFound } from '#shared/search/found-records.ts';
import { findPage, type PageRequest } from '#shared/search/message-page.ts';
import { type FoundMessage, findByIds, openSearch } from '#shared/search/message-search.ts';
import { requireSpectatorAccess } from '#shared/store/channels/spectators.ts';
import type { Table } from '#shared/table/table.ts';

const MAX_MESSAGES = 5_000;

const count = z.int().check(z.gte(0));
const yesOrNo = (fallback: boolean, description: string) =>
  withDefault(json(z.boolean(), description), fallback);

const params = {
  anchor: optional(
    text(
      z.string(),
      'A message id, `newest`, `oldest`, `first_unread`, or `date` together with `anchor_date`',
    ),
  ),
  anchor_date: optional(text(z.string(), 'The ISO 8601 date from which the first message is the anchor')),
  include_anchor: yesOrNo(true, 'Whether the message with the id of the anchor is returned too'),
  num_before: optional(json(count, 'How many messages before the anchor, at most')),
  num_after: optional(json(count, 'How many messages after the anchor, at most')),
  narrow: narrowParameter,
  client_gravatar: yesOrNo(true, 'The client computes Gravatar addresses itself'),
  apply_markdown: yesOrNo(true, 'Whether the content is HTML or its Markdown source'),
  use_first_unread_anchor: yesOrNo(false, 'The older form of the anchor `first_unread`'),
  message_ids: optional(json(z.array(count), 'The ids of messages, instead of an anchor')),
  allow_empty_topic_name: yesOrNo(false, 'The client knows that a topic may be empty'),
};

/** The readable messages around an anchor, or with certain ids, that match a narrow. */
export const listMessages = endpoint({
  route: 'GET /messages',
  summary: 'List messages',
  allow: 'userOrAnonymous',
  scope: 'read',
  obeysChannels: true,
  isFrequent: true,
  params,
  result: z.object({
    messages: z.array(messageRecord),
    anchor: z.optional(z.number()),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean(),
  }),
  errors: [BadRequest, BadNarrow, MissingArgument, Unauthorized],
  emits: [],
  uses: { table: 'read', areas: ['messages'] },
  timeoutSeconds: 29,
  memoryMegabytes: 1024,
  async handle(params, { services, caller }) {
    const request = readRequest(params);
    const terms = parseNarrow(params.narrow);
    if (!caller) await requireOpen(services.table, terms);
    const search = await openSearch(services.table, caller ?? { ...spectator }, terms);
    const style = styleOf(params, caller !== undefined);
    const toRecords = (found: FoundMessage[]) => describeFound(found, search, style);
    if ('messageIds' in request) {
      const withHistory = search.withHistory || search.terms.length === 0;
      const found = await findByIds({ ...search, withHistory }, request.messageIds);
      return { messages: await toRecords(found), ...foundNothingElse, history_limited: false };
    }
    const page = await findPage(services, search, request);
    return {
      messages: await toRecords(page.found),
      anchor: page.anchor,
      found_anchor: page.foundAnchor,
      found_oldest: page.foundOldest,
      found_newest: page.foundNewest,
      history_limited: false,
    };
  },
});

export const handler = lambda(listMessages, awsServices);

type Values = ValuesOf<typeof params>;

/** Anonymous callers read public channels only and must name them. @throws Unauthorized */
async function requireOpen(table: Table, terms: Term[]): Promise<void> {
  const asksForOpen = terms.some(
    (term) => term.kind === 'channels' && term.operand === 'web-public' && !term.isNegated,
  );
  if (!asksForOpen) throw new Unauthorized();
  await requireSpectatorAccess(table);
}

const foundNothingElse = { found_anchor: false, found_oldest: false, found_newest: false };

/** @throws BadRequest or MissingArgument for parameters that cannot be combined */
function readRequest(values: Values): PageRequest | { messageIds: number[] } {
  const { anchor, message_ids: messageIds, num_before: numBefore, num_after: numAfter } = values;
  if (messageIds !== undefined) {
    const isAnchored = anchor !== undefined || values.use_first_unread_anchor;
    if (isAnchored || numBefore || numAfter) throw unsupportedCombination();
    if (messageIds.length > MAX_MESSAGES) throw tooManyMessages();
    return { messageIds };
  }
  const where = readAnchor(anchor, values.anchor_date, values.use_first_unread_anchor);
  if (numBefore === undefined) throw new MissingArgument('num_before');
  if (numAfter === undefined) throw new MissingArgument('num_after');
  if (numBefore + numAfter > MAX_MESSAGES) throw tooManyMessages();
  if (!values.include_anchor && numBefore > 0 && numAfter > 0)
    throw new BadRequest('The anchor can only be excluded at an end of the range');
  return { anchor: where, includeAnchor: values.include_anchor, numBefore, numAfter };
}

function unsupportedCombination(): BadRequest {
  const parameters = 'num_before, num_after, message_ids, anchor';
  return new BadRequest(`Unsupported parameter combination: ${parameters}`, { parameters });
}

const tooManyMessages = () => new BadRequest(`Too many messages requested (maximum ${MAX_MESSAGES}).`);

const styleOf = (values: Values, hasAccount: boolean): MessageStyle => ({
  applyMarkdown: values.apply_markdown,
  clientGravatar: values.client_gravatar && hasAccount,
  allowsEmptyTopic: values.allow_empty_topic_name,
});
