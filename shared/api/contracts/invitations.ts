import * as z from 'zod/mini';
import { json, maxLength, optional, text, type ValuesOf, withDefault } from '#shared/api/parameters.ts';
import type { Admission } from '#shared/domain/invitations/invitation.ts';
import { invitableRoles } from '#shared/domain/invitations/permissions.ts';
import { MAX_WELCOME_LENGTH } from '#shared/domain/organization/setting-rules.ts';
import { type Role, roles } from '#shared/domain/users/user.ts';

const DEFAULT_MINUTES = 14_400;
/** Ten years, the upper limit. */
const MAX_MINUTES = 5_256_000;
const MINUTE_SECONDS = 60;
const MAX_CHANNELS = 500;
const MAX_GROUPS = 100;

const ids = (limit: number, what: string) =>
  z.array(z.int()).check(
    z.refine((input: number[]) => input.length <= limit, {
      error: `{p} names too many ${what} (maximum ${limit}).`,
    }),
  );

/** The text that an inviter adds to the welcome bot's greeting. */
export const welcomeText = z.string().check(maxLength(MAX_WELCOME_LENGTH));

export const invitationId = json(z.int(), 'The invitation');
export const channelIds = json(
  ids(MAX_CHANNELS, 'channels'),
  'The channels that the new account is subscribed to',
);

/** Parameters of every new invitation except its channels. */
export const invitationParameters = {
  invite_expires_in_minutes: withDefault(
    json(
      z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_MINUTES))),
      'When it expires, in minutes; null for never',
    ),
    DEFAULT_MINUTES,
  ),
  invite_as: withDefault(
    json(
      z.int().check(z.refine((role: number) => invitableRoles.includes(role), { error: 'Invalid {p}' })),
      'The role of the new account: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest',
    ),
    roles.member,
  ),
  include_realm_default_subscriptions: withDefault(
    json(z.boolean(), 'Whether they are also subscribed to the default channels'),
    false,
  ),
  notify_referrer_on_join: withDefault(
    json(z.boolean(), 'Whether the notification bot notifies the inviter when the invitation is used'),
    true,
  ),
  group_ids: withDefault(json(ids(MAX_GROUPS, 'groups'), 'The user groups that they become a member of'), []),
  welcome_message_custom_text: optional(
    text(
      welcomeText,
      "A text for the welcome bot's greeting, instead of the organization's own. For administrators",
    ),
  ),
};

type Given = ValuesOf<typeof invitationParameters> & { stream_ids: number[] };

/** The rights and memberships of a new account that accepts the invitation. */
export const readAdmission = (input: Given): Admission => ({
  role: input.invite_as as Role,
  channelIds: [...new Set(input.stream_ids)],
  includesDefaults: input.include_realm_default_subscriptions,
  groupIds: [...new Set(input.group_ids)],
  notifiesInviter: input.notify_referrer_on_join,
  welcomeText: input.welcome_message_custom_text ?? null,
});

/** When an invitation created now expires; null for never. */
export const readEnd = (
  { invite_expires_in_minutes: minutes }: Pick<Given, 'invite_expires_in_minutes'>,
  nowSeconds: number,
): number | null => (minutes === null ? null : nowSeconds + minutes * MINUTE_SECONDS);

const common = {
  id: z.int(),
  invited_by_user_id: z.int(),
  invited: z.int(),
  expiry_date: z.nullable(z.int()),
  invited_as: z.int(),
  notify_referrer_on_join: z.boolean(),
};

/** The invitation record of the protocol. */
export const invitationRecord = z.union([
  z.strictObject({ ...common, email: z.string(), is_multiuse: z.literal(false) }),
  z.strictObject({ ...common, link_url: z.string(), is_multiuse: z.literal(true) }),
]);
