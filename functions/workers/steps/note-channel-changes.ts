import { composeBotPost } from '#shared/actions/messages/bot-message.ts';
import { sayIn } from '#shared/actions/texts/say-in.ts';
import type { Change } from '#shared/domain/change.ts';
import { noteText } from '#shared/domain/channels/notes.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import {
  type GroupSetting,
  groupIdsOf,
  systemGroupTitles,
} from '#shared/domain/user-groups/group-setting.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listGroupsById } from '#shared/store/user-groups/groups.ts';
import { getUser, listUsersById } from '#shared/store/users/users.ts';
import type { Table } from '#shared/table/table.ts';

/** The notification bot reports a change of a channel in it; the step is one note. */
export async function noteChannelChanges(
  services: Services,
  { actorId, channelId, notes }: JobPayloads['note-channel-changes'],
  step: number,
): Promise<Change | undefined> {
  const note = notes[step];
  if (!note) return undefined;
  const [{ notificationBotId, settings: chosen }, actor] = await Promise.all([
    getOrganization(services.table),
    getUser(services.table, actorId),
  ]);
  const settings = note.kind === 'posting' ? [note.from, note.to] : [];
  const say = await sayIn(chosen.default_language);
  const nameOf = await loadNames(services.table, settings, say);
  const content = noteText(note, `@_**${actor.fullName}|${actor.userId}**`, nameOf, say);
  const place = { channelId, topic: say('channels.events') };
  const message = await composeBotPost(services, notificationBotId, place, content, { evenIfArchived: true });
  return message && { message };
}

/** The names of groups and people in settings. */
async function loadNames(
  table: Table,
  settings: GroupSetting[],
  say: Say,
): Promise<(setting: GroupSetting) => string> {
  const userIds = settings.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members));
  const [groups, users] = await Promise.all([
    listGroupsById(table, settings.flatMap(groupIdsOf)),
    listUsersById(table, userIds),
  ]);
  const titles = new Map([
    ...systemGroupTitles.map(([groupId, key]) => [groupId, say(key)] as const),
    ...groups.map(({ groupId, name }) => [groupId, `@_*${name}*`] as const),
  ]);
  const people = new Map(users.map(({ userId, fullName }) => [userId, `@_**${fullName}|${userId}**`]));
  return (setting) =>
    [
      ...groupIdsOf(setting).map((id) => titles.get(id)),
      ...(typeof setting === 'number' ? [] : setting.direct_members.map((id) => people.get(id))),
    ].join(', ');
}
