import { isStandIn } from './people.ts';
import type { Snapshot } from './wire.ts';

/** The first steps of the owner of a new organization, in this order. */
export const FIRST_STEPS = ['team', 'invitation', 'picture', 'greeting', 'channel'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** The name of an organization that nobody has named, in small letters. */
const UNNAMED = 'team chat';

/**
 * The names of the first steps that are done, as one text; undefined for people who do not own an organization with a
 * default channel. Whether the owner has said hello is not part of the state.
 */
export function doneSteps(server: Snapshot): string | undefined {
  if (!server.is_owner || server.realm_default_streams.length === 0) return undefined;
  const people = server.realm_users.filter((person) => !person.is_bot);
  const channels = [...server.subscriptions, ...server.unsubscribed, ...server.never_subscribed].filter(
    // The service itself begins with one for its announcements.
    ({ stream_id: id }) => id !== server.realm_zulip_update_announcements_stream_id,
  );
  const isDone: Record<FirstStep, boolean> = {
    team: server.realm_name.toLowerCase() !== UNNAMED,
    picture: server.avatar_url !== null && !isStandIn(server.avatar_url),
    greeting: false,
    invitation: people.length > 1,
    channel: channels.length > 1,
  };
  return FIRST_STEPS.filter((step) => isDone[step]).join(' ');
}
