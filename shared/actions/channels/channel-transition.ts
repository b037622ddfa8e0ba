import type { Channel } from '#shared/domain/channels/channel.ts';
import { defaultsOf } from '#shared/domain/channels/defaults.ts';
import { namesSubscribers, transitionChange } from '#shared/domain/channels/transition.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listSubscriberIds } from '#shared/store/channels/subscriptions.ts';
import { readVisibilityRevision } from '#shared/store/visibility/visibility-revision.ts';

interface Step {
  caller: User;
  organization: Organization;
  previous: Channel;
  next: Channel;
  /** Whether it becomes a default channel; undefined leaves it unchanged. */
  isDefault?: boolean | undefined;
}

/** Changes the state of a channel, with all events and notes about it. @throws Conflict */
export async function transitChannel(
  services: Services,
  { caller, organization, previous, next, isDefault }: Step,
): Promise<void> {
  const change = transitionChange({
    actorId: caller.userId,
    previous,
    next,
    isDefault,
    defaults: defaultsOf(organization),
    visibilityRevision: await readVisibilityRevision(services.table),
    isNoted: organization.settings.send_channel_events_messages,
    subscriberIds: namesSubscribers(previous, next)
      ? await listSubscriberIds(services.table, next.channelId)
      : [],
  });
  if (change) await commit(services, change);
}
