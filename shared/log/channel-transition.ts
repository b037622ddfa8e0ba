import type { Channel } from '#shared/domain/channels/channel.ts';
import { defaultsOf } from '#shared/domain/channels/defaults.ts';
import { namesSubscribers, transitionChange } from '#shared/domain/channels/transition.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listSubscriberIds } from '#shared/store/subscriptions.ts';
import { readWhoKnows } from '#shared/store/who-knows.ts';
import { commit } from './commit.ts';

interface Step {
  caller: User;
  organization: Organization;
  previous: Channel;
  next: Channel;
  /** Whether it is to be a default channel; undefined leaves it as it is. */
  isDefault?: boolean | undefined;
}

/** Makes a channel another state of itself, with everything that people are told about it. @throws StaleState */
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
    whoKnows: await readWhoKnows(services.table),
    isNoted: organization.settings.send_channel_events_messages,
    subscriberIds: namesSubscribers(previous, next)
      ? await listSubscriberIds(services.table, next.channelId)
      : [],
  });
  if (change) await commit(services, change);
}
