import * as z from 'zod/mini';
import { deleteFromChannelChange } from '#shared/actions/messages/delete-messages.ts';
import { takeBatch } from '#shared/actions/messages/take-batch.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { groupSettingsOf, hasContentAccess } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { mayRead } from '#shared/domain/messages/access.ts';
import { mayDeleteAny } from '#shared/domain/messages/delete.ts';
import { readTopic, type TopicPlace } from '#shared/domain/messages/topic.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listTopicMessages, refreshTopicMessages } from '#shared/store/topics/topic-messages.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';

/** One call deletes at most this many transactions of messages; the next call continues. */
const BATCHES = 8;
const END = Number.MAX_SAFE_INTEGER;

/** Deletes the messages of a topic that the caller may read, newest first. */
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
  emits: ['delete_message', 'stream/update', 'update_message'],
  uses: { table: 'write', areas: ['messages', 'drafts', 'scheduled', 'uploads'], bus: true },
  timeoutSeconds: 29,
  memoryMegabytes: 1024,
  async handle({ stream_id: channelId, topic_name: input }, { services, caller }) {
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
    const place = { channelId, topic: readTopic(input) };
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

/** Loaded on demand: moving is much code, and few topics are deleted while messages move there. */
async function finishMovesOf(services: Services, place: TopicPlace): Promise<void> {
  const { finishMoves } = await import('#shared/actions/messages/move-rest.ts');
  await finishMoves(services, [place]);
}

export const handler = lambda(deleteTopic, awsServices);
