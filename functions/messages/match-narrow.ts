import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { matchRecord } from '#shared/api/contracts/messages.ts';
import { requiredNarrow } from '#shared/api/contracts/narrow.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BadNarrow, BadRequest, MissingArgument } from '#shared/domain/errors.ts';
import { parseNarrow } from '#shared/domain/narrow/parse.ts';
import { toMatchRecord } from '#shared/domain/search/match-record.ts';
import { findByIds, openSearch } from '#shared/search/message-search.ts';

/** Clients match new messages; each costs one read unit. */
const MAX_MESSAGES = 900;

/** Which of the caller's messages match a narrow, with highlighted search matches. */
export const matchNarrow = endpoint({
  route: 'GET /messages/matches_narrow',
  summary: 'Check whether messages match a narrow',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  params: { msg_ids: json(z.array(z.int()), 'The messages'), narrow: requiredNarrow },
  result: z.object({ messages: z.record(z.string(), matchRecord) }),
  errors: [BadRequest, BadNarrow, MissingArgument],
  emits: [],
  uses: { table: 'read', areas: ['messages'] },
  timeoutSeconds: 29,
  memoryMegabytes: 1024,
  async handle({ msg_ids: messageIds, narrow }, { services, caller }) {
    if (messageIds.length > MAX_MESSAGES)
      throw new BadRequest(`Too many messages requested (maximum ${MAX_MESSAGES}).`);
    const search = await openSearch(services.table, caller, parseNarrow(narrow));
    const found = await findByIds({ ...search, withHistory: false, isShown: false }, messageIds);
    const records = found.map(({ message, match }) => [
      message.messageId,
      match ?? toMatchRecord(message, []),
    ]);
    return { messages: Object.fromEntries(records) };
  },
});

export const handler = lambda(matchNarrow, awsServices);
