import { roles } from '#shared/domain/users/user.ts';
import { signToken } from '#tests/harness/json-web-token.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Params, Scene } from './action.ts';
import { isAdministrator, note, oneOf } from './action.ts';

export const ACTION_PASSWORD = 'a password of the simulation';

const isHuman = ({ is_bot: isBot }: SnapshotData): boolean => !isBot;

/** A user who may be done without: no owner, and not the caller. */
const anyMember = ({ random, state, caller }: Scene): SnapshotData | undefined =>
  oneOf(
    random,
    (state.realm_users as SnapshotData[]).filter(
      (one) => isHuman(one) && one.user_id !== caller.userId && one.role !== roles.owner,
    ),
  );
const activeBotOf = ({ random, state }: Scene): SnapshotData | undefined => {
  const active = new Set((state.realm_users as SnapshotData[]).map(({ user_id: id }) => id));
  return oneOf(
    random,
    (state.realm_bots as SnapshotData[]).filter(({ user_id: id }) => active.has(id)),
  );
};
const fieldOf = ({ random, state }: Scene): SnapshotData | undefined =>
  oneOf(
    random,
    (state.custom_profile_fields as SnapshotData[]).filter(({ type }) => type === 1),
  );
const rememberUser = ({ notes }: Scene, reply: SnapshotData): void => note(notes, 'user', reply);
const newcomersAddress = ({ random, notes }: Scene): Params | undefined => {
  const known = notes.get('user')?.filter(({ email }) => email !== undefined);
  const one = oneOf(random, known);
  return one && { email: one.email };
};
const newcomersPassword = (scene: Scene): Params | undefined => {
  const one = newcomersAddress(scene);
  return one && { username: one.email, password: ACTION_PASSWORD };
};
const isNoOwner = ({ role }: { role: number }): boolean => role !== roles.owner;

/** Actions on whole accounts: people join, leave, return and change. */
const accountActions: Action[] = [
  {
    operation: 'createUser',
    announces: 'realm_user/add',
    times: 2,
    given: ({ label, word }) => ({
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
    given: (scene) => {
      const one = anyMember(scene);
      return one && { user_id_or_email: one.user_id };
    },
  },
  {
    operation: 'reactivateUser',
    by: isAdministrator,
    times: 4,
    given: ({ random, state }) => {
      const one = oneOf(random, (state.realm_non_active_users as SnapshotData[]).filter(isHuman));
      return one && { user_id_or_email: one.user_id };
    },
  },
  { operation: 'deactivateOwnUser', by: isNoOwner, given: () => ({}) },
  {
    operation: 'editUser',
    by: isAdministrator,
    times: 5,
    given: (scene) => {
      const one = anyMember(scene);
      const role = scene.random.pick([200, 300, 400, 600]);
      return one && { user_id_or_email: one.user_id, role };
    },
  },
  {
    operation: 'editUser',
    by: isAdministrator,
    announces: 'realm_user/update',
    times: 2,
    given: (scene) => {
      const one = anyMember(scene);
      return one && { user_id_or_email: one.user_id, full_name: scene.label('Renamed') };
    },
  },
  {
    operation: 'editUser',
    by: isAdministrator,
    given: (scene) => {
      const [one, field] = [anyMember(scene), fieldOf(scene)];
      if (!one || !field) return undefined;
      return {
        user_id_or_email: one.user_id,
        profile_data: [{ id: field.id, value: scene.label('About') }],
      };
    },
  },
  { operation: 'fetchApiKey', given: newcomersPassword },
  {
    operation: 'fetchApiKeyByJwt',
    given: (scene) => {
      const one = newcomersAddress(scene);
      return one && { token: signToken(one) };
    },
  },
  { operation: 'signIn', times: 2, given: newcomersPassword },
  { operation: 'askForPasswordReset', times: 2, given: newcomersAddress },
  {
    operation: 'resetPassword',
    times: 2,
    given: ({ random, mailedResetKeys }) => {
      const key = oneOf(random, mailedResetKeys);
      return key === undefined ? undefined : { key, password: ACTION_PASSWORD };
    },
  },
  { operation: 'signOut', given: () => ({}) },
  { operation: 'regenerateApiKey', given: () => ({}) },
  { operation: 'uploadOwnAvatar', hasPicture: true, given: () => ({}) },
  { operation: 'deleteOwnAvatar', times: 2, given: () => ({}) },
];

const botActions: Action[] = [
  {
    operation: 'createBot',
    announces: 'realm_user/add',
    times: 2,
    given: ({ label, word }) => ({ full_name: label('Robot'), short_name: word('bot') }),
    after: rememberUser,
  },
  {
    operation: 'createBot',
    announces: 'realm_user/add',
    given: ({ label, word }) => ({
      full_name: label('Robot'),
      short_name: word('bot'),
      bot_type: 3,
      payload_url: '"https://bots.example.com/"',
    }),
    after: rememberUser,
  },
  {
    operation: 'editBot',
    announces: 'realm_user/update',
    times: 2,
    given: (scene) => {
      const bot = activeBotOf(scene);
      return bot && { bot_id: bot.user_id, full_name: scene.label('Robot') };
    },
  },
  {
    operation: 'editBot',
    times: 2,
    given: (scene) => {
      const [bot, owner] = [activeBotOf(scene), anyMember(scene)];
      return bot && owner && { bot_id: bot.user_id, bot_owner_id: owner.user_id };
    },
  },
  {
    operation: 'editBot',
    given: (scene) => {
      const [bot, channel] = [
        activeBotOf(scene),
        oneOf<SnapshotData>(scene.random, scene.state.subscriptions),
      ];
      return bot && channel && { bot_id: bot.user_id, default_sending_stream: channel.name };
    },
  },
  {
    operation: 'regenerateBotApiKey',
    given: (scene) => {
      const bot = activeBotOf(scene);
      return bot && { bot_id: bot.user_id };
    },
  },
  {
    operation: 'deactivateBot',
    given: (scene) => {
      const bot = activeBotOf(scene);
      return bot && { bot_id: bot.user_id };
    },
  },
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
  { operation: 'editSettings', times: 6, given: settingOf },
  { operation: 'editDisplaySettings', given: settingOf },
  { operation: 'editNotificationSettings', given: settingOf },
  {
    operation: 'runZcommand',
    given: ({ random }) => ({ command: random.pick(['/dark', '/light', '/fluid-width', '/ping']) }),
  },
  { operation: 'editSettings', given: () => ({ allow_private_data_export: true }) },
  {
    operation: 'setOwnStatus',
    announces: 'user_status',
    times: 2,
    given: ({ label }) => ({ status_text: label('Status') }),
  },
  { operation: 'setOwnStatus', given: ({ random }) => ({ away: random.chance(0.5) }) },
  {
    operation: 'setUserStatus',
    announces: 'user_status',
    given: (scene) => {
      const one = anyMember(scene);
      return one && { user_id: one.user_id, status_text: scene.label('Status') };
    },
  },
  {
    operation: 'updatePresence',
    times: 4,
    given: ({ random }) => ({
      status: random.pick(['active', 'idle']),
      new_user_input: true,
      last_update_id: -1,
    }),
  },
  {
    operation: 'muteUser',
    times: 2,
    given: (scene) => {
      const one = anyMember(scene);
      return one && { muted_user_id: one.user_id };
    },
  },
  {
    operation: 'unmuteUser',
    given: ({ random, state }) => {
      const one = oneOf<SnapshotData>(random, state.muted_users);
      return one && { muted_user_id: one.id };
    },
  },
  {
    operation: 'editOwnProfile',
    announces: 'realm_user/update',
    times: 2,
    given: (scene) => {
      const field = fieldOf(scene);
      return field && { data: [{ id: field.id, value: scene.label('About') }] };
    },
  },
  {
    operation: 'clearOwnProfile',
    given: (scene) => {
      const field = fieldOf(scene);
      return field && { data: [field.id] };
    },
  },
];

/** How people are invited, and join. */
const invitationActions: Action[] = [
  {
    operation: 'createInvitations',
    by: isAdministrator,
    times: 3,
    given: (scene) => ({
      invitee_emails: `${scene.word('guest')}@example.com`,
      stream_ids: scene.state.streams.slice(0, 1).map(({ stream_id: id }: SnapshotData) => id),
    }),
  },
  { operation: 'createInvitationLink', times: 2, by: isAdministrator, given: () => ({}) },
  ...(['resendInvitation', 'revokeInvitation', 'revokeInvitationLink'] as const).map(
    (operation): Action => ({
      operation,
      by: isAdministrator,
      times: 2,
      given: async ({ query, random }) => {
        const reply = await query('listInvitations');
        const all: SnapshotData[] = reply?.invites ?? [];
        const wanted = all.filter((one) => one.is_multiuse === (operation === 'revokeInvitationLink'));
        const one = oneOf(random, wanted);
        return one && { invite_id: one.id };
      },
    }),
  ),
  {
    operation: 'confirmAddress',
    by: isAdministrator,
    times: 2,
    given: async ({ query, random, word }) => {
      const reply = await query('listInvitations');
      const links = ((reply?.invites ?? []) as SnapshotData[]).filter((one) => one.is_multiuse);
      const key = /\/join\/([A-Za-z0-9]+)\//.exec(oneOf(random, links)?.link_url ?? '')?.[1];
      return key === undefined ? undefined : { email: `${word('comer')}@example.com`, key };
    },
  },
  {
    operation: 'joinOrganization',
    announces: 'realm_user/add',
    times: 2,
    given: ({ random, mailedKeys, label }) => {
      const mail = oneOf(random, mailedKeys);
      return mail && { key: mail.key, full_name: label('Newcomer'), password: ACTION_PASSWORD };
    },
    after: rememberUser,
  },
];

export const userActions: Action[] = [...accountActions, ...botActions, ...selfActions, ...invitationActions];
