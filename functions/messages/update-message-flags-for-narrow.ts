import * as z from 'zod/mini';
import { updateFlags } from '#shared/actions/reading/update-flags.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { narrowParameter } from '#shared/api/contracts/narrow.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, withDefault } from '#shared/api/parameters.ts';
import { BadNarrow, BadRequest } from '#shared/domain/errors.ts';
import { readAnchor, withinOneCall } from '#shared/domain/narrow/anchor.ts';
import { parseNarrow } from '#shared/domain/narrow/parse.ts';
import { readFlagEdit } from '#shared/domain/reading/flag-edit.ts';
import { findPage } from '#shared/search/message-page.ts';
import { openSearch } from '#shared/search/message-search.ts';

const count = z.int().check(z.gte(0));

/**
 * Adds a flag to the messages around an anchor that match a narrow, or removes it; affects only the caller.
 */
export const updateMessageFlagsForNarrow = endpoint({
  route: 'POST /messages/flags/narrow',
  summary: 'Update personal message flags for a narrow',
  allow: 'user',
  scope: 'organize',
  params: {
    anchor: text(
      z.string(),
      'A message id, `newest`, `oldest`, `first_unread`, or `date` together with `anchor_date`',
    ),
    anchor_date: optional(text(z.string(), 'The ISO 8601 date from which the first message is the anchor')),
    include_anchor: withDefault(
      json(z.boolean(), 'Whether the message with the id of the anchor is updated too'),
      true,
    ),
    num_before: json(count, 'How many messages before the anchor, at most'),
    num_after: json(count, 'How many messages after the anchor, at most'),
    narrow: narrowParameter,
    op: text(z.string(), '`add` or `remove`'),
    flag: text(z.string(), '`read`, `starred`, `collapsed` or `hide_link_previews`'),
  },
  result: z.object({
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: z.nullable(z.int()),
    last_processed_id: z.nullable(z.int()),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    ignored_because_not_subscribed_channels: z.array(z.int()),
  }),
  errors: [BadRequest, BadNarrow],
  emits: ['update_message_flags/add', 'update_message_flags/remove'],
  uses: { table: 'write', areas: ['messages'], bus: true },
  timeoutSeconds: 29,
  memoryMegabytes: 1024,
  async handle(params, { services, caller }) {
    const edit = readFlagEdit(params.flag, params.op);
    const anchor = readAnchor(params.anchor, params.anchor_date, false);
    const { num_before: before, num_after: after, include_anchor: includeAnchor } = params;
    if (!includeAnchor && before > 0 && after > 0)
      throw new BadRequest('The anchor can only be excluded at an end of the range');
    // The next call continues; the reply says so in `found_oldest` and `found_newest`.
    const { numBefore, numAfter } = withinOneCall(before, after);
    const search = await openSearch(services.table, caller, parseNarrow(params.narrow));
    const page = await findPage(
      services,
      { ...search, isShown: false },
      { anchor, includeAnchor, numBefore, numAfter },
    );
    const messages = page.found.map(({ message }) => message);
    const update = await updateFlags(services, caller, edit, messages, search.views);
    return {
      processed_count: messages.length,
      updated_count: update.updatedCount,
      first_processed_id: messages[0]?.messageId ?? null,
      last_processed_id: messages.at(-1)?.messageId ?? null,
      found_oldest: page.foundOldest,
      found_newest: page.foundNewest,
      ignored_because_not_subscribed_channels: update.ignoredChannelIds,
    };
  },
});

export const handler = lambda(updateMessageFlagsForNarrow, awsServices);
