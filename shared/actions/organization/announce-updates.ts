import type { Change } from '#shared/domain/change.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { newestUpdateLevel, updatesAfter } from '#shared/domain/organization/updates.ts';
import { withFreshState } from '#shared/log/commit.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Write } from '#shared/table/table.ts';

/**
 * After an upgrade, the notification bot posts the news once, in the organization's channel for updates. Without such a
 * channel only the level is noted, so that a later choice posts nothing old. If there is no news, this costs one read.
 */
export const announceUpdates = (services: Services): Promise<void> =>
  withFreshState(services, async () => {
    const organization = await getOrganization(services.table);
    const { updatesLevel = 0 } = organization;
    if (updatesLevel >= newestUpdateLevel) return;
    const noted: Write = {
      kind: 'update',
      key: organizationKeys.organization(),
      set: { updatesLevel: newestUpdateLevel },
      condition: { exists: true, belowOrAbsent: { updatesLevel: newestUpdateLevel } },
    };
    const message = await composeNotice(services, organization, updatesLevel);
    if (message) await commitMessage(services, { message, writes: [noted] });
    else await services.table.write(noted);
  });

/** Loaded on demand: the renderer is large, and upgrades are seldom. */
async function composeNotice(
  services: Services,
  { settings, notificationBotId }: Organization,
  level: number,
): Promise<Change['message']> {
  const channelId = settings.zulip_update_announcements_stream_id;
  if (channelId < 0) return undefined;
  const [{ composeBotPost }, { sayIn }] = await Promise.all([
    import('#shared/actions/messages/bot-message.ts'),
    import('#shared/actions/texts/say-in.ts'),
  ]);
  const say = await sayIn(settings.default_language);
  const content = updatesAfter(level)
    .map((text) => say(text))
    .join('\n\n');
  return composeBotPost(services, notificationBotId, { channelId, topic: say('updates.topic') }, content);
}
