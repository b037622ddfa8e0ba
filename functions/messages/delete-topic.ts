import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { groupSettingsOf } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { hasContentAccess, mayRead } from '#shared/domain/messages/access.ts';
import { mayDeleteAny } from '#shared/domain/messages/delete.ts';
import type { TopicPlace } from '#shared/domain/messages/move.ts';
import { readTopic } from '#shared/domain/messages/topic.ts';
import { commit } from '#shared/log/commit.ts';
import { deleteFromChannelChange } from '#shared/log/delete-messages.ts';
import { takeBatch } from '#shared/log/take-batch.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getChannelView } from '#shared/store/channels.ts';
import { learnMemberships } from '#shared/store/groups.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { listTopicMessages, refreshTopicMessages } from '#shared/store/topic-messages.ts';

/** One call deletes so many transactions' worth of messages; what is left is for the next call. */
const BATCHES = 8;
const END = Number.MAX_SAFE_INTEGER;

/** Deletes the messages of a topic that the caller may read, the newest first. */
export const deleteTopic = endpoint({
  route: 'POST /streams/{stream_id}/delete_topic',
  summary: 'Delete a topic',
  allow: 'user',
  needs: ['knowChannel', 'deleteAnyMessage'],
  params: {
    stream_id: json(z.int(), 'The channel'),
    topic_name: text(z.string(), 'The topic'),
  },
  result: z.object({ complete: z.boolean() }),
  errors: [BadRequest],
  emits: ['delete_message', 'stream/update'],
  uses: { table: 'write', areas: ['messages', 'drafts', 'scheduled', 'uploads'], bus: true },
  timeoutSeconds: 29,
  memoryMegabytes: 1024,
  async handle({ stream_id: channelId, topic_name: given }, { services, caller }) {
    const { table } = services;
    const view = await getChannelView(table, caller, channelId);
    if (!hasContentAccess(caller, view)) throw new BadRequest('Invalid channel ID');
    const organization = await getOrganization(table);
    await learnMemberships(table, caller, [
      organization.groups.can_delete_any_message_group,
      ...groupSettingsOf(view.channel),
    ]);
    if (!mayDeleteAny(caller, { view, organization }))
      throw new BadRequest("You don't have permission to delete this message");
    const place = { channelId, topic: readTopic(given) };
    await finishMovesOf(services, place);
    const all = await listTopicMessages(services, place, { from: 1, to: END });
    let left = all.filter((message) => mayRead(caller, message, view)).reverse();
    for (let batches = 0; batches < BATCHES && left.length > 0; batches++) {
      const batch = takeBatch(left);
      left = left.slice(batch.length);
      const messages = await refreshTopicMessages(table, place, batch);
      const current = await getChannelView(table, caller, channelId);
      if (messages.length > 0)
        await commit(services, await deleteFromChannelChange(services, current.channel, messages));
    }
    return { complete: left.length === 0 };
  },
});

/** Moving is much code, and few topics are deleted while they are being moved. */
async function finishMovesOf(services: Services, place: TopicPlace): Promise<void> {
  const { finishMoves } = await import('#shared/log/move-rest.ts');
  await finishMoves(services, [place]);
}

export const handler = lambda(deleteTopic, awsServices);
