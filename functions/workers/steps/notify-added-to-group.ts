import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listDirectMemberIds } from '#shared/store/user-groups/group-graph.ts';
import { getMadeGroup } from '#shared/store/user-groups/groups.ts';
import { getUser } from '#shared/store/users/users.ts';

/**
 * The notification bot notifies a user that another user added them to a group, if they are still in it; the
 * step is that user.
 */
export async function notifyAddedToGroup(
  services: Services,
  { actorId, groupId }: JobPayloads['notify-added-to-group'],
  step: number,
): Promise<Change | undefined> {
  const [organization, actor, group, memberIds] = await Promise.all([
    getOrganization(services.table),
    getUser(services.table, actorId),
    getMadeGroup(services.table, groupId),
    listDirectMemberIds(services.table, groupId),
  ]);
  if (!memberIds.has(step)) return undefined;
  const who = `@_**${actor.fullName}|${actor.userId}**`;
  const say = await textsFor(services, step);
  const content = say('groups.addedYou', { person: who, group: `@_*${group.name}*` });
  return { message: await composeBotDirect(services, organization.notificationBotId, step, content) };
}
