import { roles } from '#shared/domain/users/user.ts';
import { signToken } from '#tests/harness/json-web-token.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Params, Scene } from './action.ts';
import { entryOf, isAdministrator, note, on, oneOf } from './action.ts';

export const ACTION_PASSWORD = 'a password of the simulation';

const isHuman = ({ is_bot: isBot }: SnapshotData): boolean => !isBot;

/** A user who may be done without: no owner, and not the caller. */
const memberOf = (scene: Scene): SnapshotData | undefined =>
  entryOf(
    'realm_users',
    (user) => isHuman(user) && user.user_id !== scene.caller.userId && user.role !== roles.owner,
  )(scene);
const activeBotOf = (scene: Scene): SnapshotData | undefined => {
  const active = new Set((scene.state.realm_users as SnapshotData[]).map(({ user_id: id }) => id));
  return entryOf('realm_bots', ({ user_id: id }) => active.has(id))(scene);
};
const fieldOf = entryOf('custom_profile_fields', ({ type }) => type === 1);
const rememberUser = ({ notes }: Scene, reply: SnapshotData): void => note(notes, 'user', reply);
const addressOfNewcomer = ({ random, notes }: Scene): string | undefined =>
  oneOf(
    random,
    notes.get('user')?.filter(({ email }) => email !== undefined),
  )?.email;
const passwordOfNewcomer = on(addressOfNewcomer, (username) => ({ username, password: ACTION_PASSWORD }));
const isNoOwner = ({ role }: { role: number }): boolean => role !== roles.owner;

/** Actions on whole accounts: people join, leave, return and change. */
const accountActions: Action[] = [
  {
    operation: 'createUser',
    announces: 'realm_user/add',
    times: 2,
    params: ({ label, word }) => ({
      email: `${word('new')}@example.com`,
      password: ACTION_PASSWORD,
      full_name: label('Person'),
    }),
    after: (scene, reply, { email }) => rememberUser(scene, { ...reply, email }),
  },
  {
    operation: 'deactivateUser',
    by: isAdministrator,
    times: 2,
    params: on(memberOf, ({ user_id: id }) => ({ user_id_or_email: id })),
  },
  {
    operation: 'reactivateUser',
    by: isAdministrator,
    times: 4,
    params: on(entryOf('realm_non_active_users', isHuman), ({ user_id: id }) => ({ user_id_or_email: id })),
  },
  { operation: 'deactivateOwnUser', by: isNoOwner },
  {
    operation: 'editUser',
    by: isAdministrator,
    times: 5,
    params: on(memberOf, ({ user_id: id }, { random }) => ({
      user_id_or_email: id,
      role: random.pick([200, 300, 400, 600]),
    })),
  },
  {
    operation: 'editUser',
    by: isAdministrator,
    announces: 'realm_user/update',
    times: 2,
    params: on(memberOf, ({ user_id: id }, { label }) => ({
      user_id_or_email: id,
      full_name: label('Renamed'),
    })),
  },
  {
    operation: 'editUser',
    by: isAdministrator,
    params: on(memberOf, ({ user_id: id }, scene) => {
      const field = fieldOf(scene);
      const value = scene.label('About');
      return field && { user_id_or_email: id, profile_data: [{ id: field.id, value }] };
    }),
  },
  { operation: 'fetchApiKey', params: passwordOfNewcomer },
  {
    operation: 'fetchApiKeyByJwt',
    params: on(addressOfNewcomer, (email) => ({ token: signToken({ email }) })),
  },
  { operation: 'signIn', times: 2, params: passwordOfNewcomer },
  { operation: 'askForPasswordReset', times: 2, params: on(addressOfNewcomer, (email) => ({ email })) },
  {
    operation: 'resetPassword',
    times: 2,
    params: on(
      ({ random, mailedResetKeys }) => oneOf(random, mailedResetKeys),
      (key) => ({ key, password: ACTION_PASSWORD }),
    ),
  },
  { operation: 'signOut' },
  { operation: 'regenerateApiKey' },
  { operation: 'uploadOwnAvatar', hasPicture: true },
  { operation: 'deleteOwnAvatar', times: 2 },
];

const newBot = ({ label, word }: Scene): Params => ({ full_name: label('Robot'), short_name: word('bot') });
const botId = ({ user_id: id }: SnapshotData): Params => ({ bot_id: id });

const botActions: Action[] = [
  { operation: 'createBot', announces: 'realm_user/add', times: 2, params: newBot, after: rememberUser },
  {
    operation: 'createBot',
    announces: 'realm_user/add',
    params: (scene) => ({ ...newBot(scene), bot_type: 3, payload_url: '"https://bots.example.com/"' }),
    after: rememberUser,
  },
  {
    operation: 'editBot',
    announces: 'realm_user/update',
    times: 2,
    params: on(activeBotOf, (bot, { label }) => ({ ...botId(bot), full_name: label('Robot') })),
  },
  {
    operation: 'editBot',
    times: 2,
    params: on(activeBotOf, (bot, scene) => {
      const owner = memberOf(scene);
      return owner && { ...botId(bot), bot_owner_id: owner.user_id };
    }),
  },
  {
    operation: 'editBot',
    params: on(activeBotOf, (bot, scene) => {
      const channel = entryOf('subscriptions')(scene);
      return channel && { ...botId(bot), default_sending_stream: channel.name };
    }),
  },
  { operation: 'regenerateBotApiKey', params: on(activeBotOf, botId) },
  { operation: 'deactivateBot', params: on(activeBotOf, botId) },
];

const settingOf = ({ random, label }: Scene): Params =>
  random.pick<Params>([
    { full_name: label('Myself') },
    { email_address_visibility: random.pick([1, 2, 3, 4, 5]) },
    { email_address_visibility: random.pick([1, 2, 3, 4, 5]) },
    { presence_enabled: random.chance(0.5) },
    { enable_drafts_synchronization: random.chance(0.5) },
    { allow_private_data_export: random.chance(0.5) },
    { receives_typing_notifications: random.chance(0.5) },
    { send_private_typing_notifications: random.chance(0.7) },
    { timezone: random.pick(['Europe/Berlin', 'Asia/Tokyo', '']) },
    { web_font_size_px: random.between(10, 24) },
  ]);

/** Actions on people's own profiles and settings. */
const selfActions: Action[] = [
  { operation: 'editSettings', times: 6, params: settingOf },
  { operation: 'editDisplaySettings', params: settingOf },
  { operation: 'editNotificationSettings', params: settingOf },
  {
    operation: 'runZcommand',
    params: ({ random }) => ({ command: random.pick(['/dark', '/light', '/fluid-width', '/ping']) }),
  },
  { operation: 'editSettings', params: () => ({ allow_private_data_export: true }) },
  {
    operation: 'setOwnStatus',
    announces: 'user_status',
    times: 2,
    params: ({ label }) => ({ status_text: label('Status') }),
  },
  { operation: 'setOwnStatus', params: ({ random }) => ({ away: random.chance(0.5) }) },
  {
    operation: 'setUserStatus',
    announces: 'user_status',
    params: on(memberOf, ({ user_id }, { label }) => ({ user_id, status_text: label('Status') })),
  },
  {
    operation: 'updatePresence',
    times: 4,
    params: ({ random }) => ({
      status: random.pick(['active', 'idle']),
      new_user_input: true,
      last_update_id: -1,
    }),
  },
  { operation: 'muteUser', times: 2, params: on(memberOf, ({ user_id: id }) => ({ muted_user_id: id })) },
  { operation: 'unmuteUser', params: on(entryOf('muted_users'), ({ id }) => ({ muted_user_id: id })) },
  {
    operation: 'editOwnProfile',
    announces: 'realm_user/update',
    times: 2,
    params: on(fieldOf, ({ id }, { label }) => ({ data: [{ id, value: label('About') }] })),
  },
  { operation: 'clearOwnProfile', params: on(fieldOf, ({ id }) => ({ data: [id] })) },
];

async function listInvitations({ query }: Scene, isLink: boolean): Promise<SnapshotData[]> {
  const reply = await query('listInvitations');
  return (reply?.invites ?? []).filter((invitation: SnapshotData) => invitation.is_multiuse === isLink);
}

/** How people are invited, and join. */
const invitationActions: Action[] = [
  {
    operation: 'createInvitations',
    by: isAdministrator,
    times: 3,
    params: (scene) => ({
      invitee_emails: `${scene.word('guest')}@example.com`,
      stream_ids: scene.state.streams.slice(0, 1).map(({ stream_id: id }: SnapshotData) => id),
    }),
  },
  { operation: 'createInvitationLink', times: 2, by: isAdministrator },
  ...(['resendInvitation', 'revokeInvitation', 'revokeInvitationLink'] as const).map(
    (operation): Action => ({
      operation,
      by: isAdministrator,
      times: 2,
      params: async (scene) => {
        const invitations = await listInvitations(scene, operation === 'revokeInvitationLink');
        const invitation = oneOf(scene.random, invitations);
        return invitation && { invite_id: invitation.id };
      },
    }),
  ),
  {
    operation: 'confirmAddress',
    by: isAdministrator,
    times: 2,
    params: async (scene) => {
      const link = oneOf(scene.random, await listInvitations(scene, true));
      const key = /\/join\/([A-Za-z0-9]+)\//.exec(link?.link_url ?? '')?.[1];
      return key === undefined ? undefined : { email: `${scene.word('comer')}@example.com`, key };
    },
  },
  {
    operation: 'joinOrganization',
    announces: 'realm_user/add',
    times: 2,
    params: on(
      ({ random, mailedKeys }) => oneOf(random, mailedKeys),
      ({ key }, { label }) => ({ key, full_name: label('Newcomer'), password: ACTION_PASSWORD }),
    ),
    after: rememberUser,
  },
];

export const userActions: Action[] = [...accountActions, ...botActions, ...selfActions, ...invitationActions];
