import * as z from 'zod/mini';
import { BadRequest } from '#shared/domain/errors.ts';
import { encodeOperand } from '#shared/domain/messages/link.ts';
import {
  type AnyTool,
  addressOf,
  call,
  described,
  findPlace,
  type Place,
  placeFields,
  tool,
} from './tool.ts';

/** A mention of everyone in a channel, a topic or the organization, which notifies many people. */
const WILDCARD = /(?<!\\)@\*\*(all|everyone|channel|stream|topic)\*\*/i;

const contentField = described(
  z.string().check(z.minLength(1)),
  'The text, as Markdown; mention a person as @**Name|id**',
);
const wildcardField = z.optional(
  described(
    z.boolean(),
    'Whether @**all**, @**channel** and @**topic** may notify everyone; false by default',
  ),
);
const keyField = z.optional(
  described(z.string(), 'A key of your choice; a repeated call with the same key has no further effect'),
);

/** @throws BadRequest for a mention of everyone that the call does not allow */
function requireFewMentioned(content: string, allowsWildcard = false): void {
  if (!allowsWildcard && WILDCARD.test(content))
    throw new BadRequest('The text mentions everyone. Ask the person, then pass allow_wildcard: true.');
}

const linkTo = (url: string, place: Place, messageId?: number): string => {
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  return 'userIds' in place
    ? `${url}/#narrow/dm/${place.userIds.join(',')}${near}`
    : `${url}/#narrow/channel/${place.channelId}/topic/${encodeOperand(place.topic)}${near}`;
};

const sendMessage = tool({
  name: 'send_message',
  title: 'Send a message',
  description:
    'Sends a message at once, in the name of the person. Prefer draft_message unless the person asked to send.',
  scope: 'send',
  isDestructive: true,
  input: z.object({
    ...placeFields,
    content: contentField,
    allow_wildcard: wildcardField,
    idempotency_key: keyField,
  }),
  async run({ content, allow_wildcard, idempotency_key, ...target }, agent) {
    requireFewMentioned(content, allow_wildcard);
    const place = await findPlace(agent, target);
    const operation = await import('../../messages/send-message.ts');
    const params = { ...addressOf(place), content, read_by_sender: true };
    const { id } = await call(agent, operation.sendMessage, params, idempotency_key);
    return { fields: { id, link: linkTo(agent.url, place, id) } };
  },
});

const draftMessage = tool({
  name: 'draft_message',
  title: 'Draft a message',
  description:
    'Saves a message as a draft for the person, who reads it and sends it or not. The safe way to write.',
  scope: 'send',
  input: z.object({ ...placeFields, content: contentField, idempotency_key: keyField }),
  async run({ content, idempotency_key, ...target }, agent) {
    const place = await findPlace(agent, target);
    const { createDrafts } = await import('../../drafts/create-drafts.ts');
    const draft =
      'userIds' in place
        ? { type: 'private', to: place.userIds, topic: '', content }
        : { type: 'stream', to: [place.channelId], topic: place.topic, content };
    const { ids } = await call(agent, createDrafts, { drafts: [draft] }, idempotency_key);
    return {
      fields: { draft_id: ids[0], link: linkTo(agent.url, place) },
      text: `Draft ${ids[0]} is saved and not sent. The person finds it under Drafts: ${agent.url}/#drafts`,
    };
  },
});

const scheduleMessage = tool({
  name: 'schedule_message',
  title: 'Schedule a message',
  description: 'Sends a message at a time in the future, in the name of the person, who can still change it.',
  scope: 'send',
  isDestructive: true,
  input: z.object({
    ...placeFields,
    content: contentField,
    deliver_at: described(z.iso.datetime({ offset: true }), 'When to send it, ISO 8601 with an offset or Z'),
    allow_wildcard: wildcardField,
    idempotency_key: keyField,
  }),
  async run({ content, deliver_at, allow_wildcard, idempotency_key, ...target }, agent) {
    requireFewMentioned(content, allow_wildcard);
    const place = await findPlace(agent, target);
    const { createScheduledMessage } = await import('../../scheduled-messages/create-scheduled-message.ts');
    const atSeconds = Math.floor(Date.parse(deliver_at) / 1000);
    const params = { ...addressOf(place), content, scheduled_delivery_timestamp: atSeconds };
    const reply = await call(agent, createScheduledMessage, params, idempotency_key);
    const deliverAt = new Date(atSeconds * 1000).toISOString();
    return { fields: { scheduled_message_id: reply.scheduled_message_id, deliver_at: deliverAt } };
  },
});

const editMessage = tool({
  name: 'edit_message',
  title: 'Edit a message',
  description: 'Changes the text of a message that the person wrote.',
  scope: 'send',
  isDestructive: true,
  isIdempotent: true,
  input: z.object({
    id: described(z.int(), 'The message'),
    content: contentField,
    previous_hash: z.optional(
      described(z.string(), 'SHA-256 of the present text in hexadecimal; the edit fails if it has changed'),
    ),
    allow_wildcard: wildcardField,
  }),
  async run({ id, content, previous_hash, allow_wildcard }, agent) {
    requireFewMentioned(content, allow_wildcard);
    const operation = await import('../../messages/edit-message.ts');
    const params = { message_id: id, content, prev_content_sha256: previous_hash };
    await call(agent, operation.editMessage, params);
    return { fields: { id } };
  },
});

const reactionFields = {
  id: described(z.int(), 'The message'),
  emoji: described(z.string(), 'The name of the emoji, without colons'),
};
const named = (emoji: string): string => emoji.replace(/^:|:$/g, '');

const addReaction = tool({
  name: 'add_reaction',
  title: 'Add a reaction',
  description: 'Adds a reaction of the person to a message.',
  scope: 'send',
  input: z.object(reactionFields),
  async run({ id, emoji }, agent) {
    const operation = await import('../../messages/add-reaction.ts');
    await call(agent, operation.addReaction, { message_id: id, emoji_name: named(emoji) });
    return { fields: { id, emoji: named(emoji) } };
  },
});

const removeReaction = tool({
  name: 'remove_reaction',
  title: 'Remove a reaction',
  description: 'Removes a reaction of the person from a message.',
  scope: 'send',
  input: z.object(reactionFields),
  async run({ id, emoji }, agent) {
    const operation = await import('../../messages/remove-reaction.ts');
    await call(agent, operation.removeReaction, { message_id: id, emoji_name: named(emoji) });
    return { fields: { id, emoji: named(emoji) } };
  },
});

/** Tools that write messages. */
export const writingTools: AnyTool[] = [
  draftMessage,
  sendMessage,
  scheduleMessage,
  editMessage,
  addReaction,
  removeReaction,
];
