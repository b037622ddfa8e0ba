import { roles } from '#shared/domain/users/user.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import { pushRegistration } from '#tests/simulation/people/requests.ts';
import type { Action, OperationName, Params, Scene } from './action.ts';
import { entryOf, note, noteOfOwn, on, oneOf, someone } from './action.ts';

const draftOf = (scene: Scene): Params => {
  const content = scene.label('Draft', 'private');
  const channel = entryOf('subscriptions')(scene);
  if (!channel || scene.random.chance(0.3))
    return { type: 'private', to: [someone(scene)], topic: '', content };
  return { type: 'stream', to: [channel.stream_id], topic: 'one', content };
};
const snippetOf = entryOf('saved_snippets');
const viewOf = entryOf('navigation_views');

const textActions: Action[] = [
  {
    operation: 'createDrafts',
    announces: 'drafts/add',
    times: 2,
    params: (scene) => ({ drafts: [draftOf(scene)] }),
  },
  {
    operation: 'editDraft',
    announces: 'drafts/update',
    params: on(entryOf('drafts'), ({ id }, scene) => ({ draft_id: id, draft: draftOf(scene) })),
  },
  { operation: 'deleteDraft', params: on(entryOf('drafts'), ({ id }) => ({ draft_id: id })) },
  {
    operation: 'createSavedSnippet',
    announces: 'saved_snippets/add',
    times: 2,
    params: ({ label }) => ({
      title: label('Snippet', 'private'),
      content: label('Snippet content', 'private'),
    }),
  },
  {
    operation: 'editSavedSnippet',
    announces: 'saved_snippets/update',
    params: on(snippetOf, ({ id }, { label }) => ({
      saved_snippet_id: id,
      title: label('Snippet', 'private'),
    })),
  },
  { operation: 'deleteSavedSnippet', params: on(snippetOf, ({ id }) => ({ saved_snippet_id: id })) },
  {
    operation: 'createNavigationView',
    announces: 'navigation_view/add',
    times: 2,
    params: ({ random, label, word }) => ({
      fragment: `narrow/topic/${word('view')}`,
      is_pinned: random.chance(0.5),
      name: label('View', 'private'),
    }),
  },
  {
    operation: 'editNavigationView',
    announces: 'navigation_view/update',
    params: on(viewOf, ({ fragment }, { random, label }) => ({
      fragment,
      is_pinned: random.chance(0.5),
      name: label('View', 'private'),
    })),
  },
  { operation: 'deleteNavigationView', params: on(viewOf, ({ fragment }) => ({ fragment })) },
  {
    operation: 'addAlertWords',
    times: 2,
    params: ({ label }) => ({ alert_words: [label('Word', 'private'), 'message'] }),
  },
  { operation: 'removeAlertWords', params: on(entryOf('alert_words'), (word) => ({ alert_words: [word] })) },
];

const deviceIdOf = ({ random, state }: Scene): string | undefined =>
  oneOf(random, Object.keys(state.devices));

const ifRegistered = ({ state }: Scene): Params | undefined => {
  const devices = Object.values<SnapshotData>(state.devices);
  return devices.some(({ push_token_id: tokenId }) => tokenId !== null) ? {} : undefined;
};

const deviceTokens = (
  kind: string,
  add: OperationName,
  remove: OperationName,
  token: (scene: Scene) => Params,
): Action[] => [
  {
    operation: add,
    params: token,
    after: ({ notes, caller: { userId } }: Scene, _reply: SnapshotData, { token }: Params) =>
      note(notes, kind, { token, userId }),
  },
  { operation: remove, params: on(noteOfOwn(kind), ({ token }) => ({ token })) },
];

const deviceActions: Action[] = [
  { operation: 'registerClientDevice', times: 2 },
  {
    operation: 'registerPushDevice',
    times: 4,
    params: on(deviceIdOf, (id, { random, word }) =>
      pushRegistration(Number(id), random.between(1, 200), word('token').padEnd(8, 'x').slice(0, 8)),
    ),
  },
  { operation: 'sendTestNotification', times: 2, params: ifRegistered },
  { operation: 'sendOlderTestNotification', params: ifRegistered },
  { operation: 'removeClientDevice', params: on(deviceIdOf, (id) => ({ device_id: Number(id) })) },
  ...deviceTokens('apns', 'addApnsToken', 'removeApnsToken', ({ word }) => ({
    token: Buffer.from(word('apns')).toString('base64'),
    appid: 'org.example.App',
  })),
  ...deviceTokens('fcm', 'addFcmToken', 'removeFcmToken', ({ word }) => ({ token: word('fcm') })),
];

/** Actions on personal data. */
export const ownActions: Action[] = [
  {
    operation: 'confirmNewAddress',
    times: 4,
    by: ({ role }) => role === roles.owner,
    // The own address in other letter case: the scene continues to use the one that it knows.
    params: async ({ caller, mailedAddressKeys, query }) => {
      const to = caller.email.toUpperCase();
      const key = mailedAddressKeys.findLast((mail) => mail.to === to)?.key;
      if (key === undefined) await query('editSettings', { email: to });
      return key === undefined ? undefined : { key };
    },
  },
  ...textActions,
  ...deviceActions,
  {
    operation: 'createApiToken',
    times: 2,
    params: ({ random }) => ({ name: 'Scripts', scopes: [oneOf(random, ['read', 'send', 'organize'])] }),
  },
  {
    operation: 'revokeApiToken',
    params: async ({ random, query }) => {
      const kept = await query('listOwnApiTokens');
      const token = oneOf<SnapshotData>(random, kept?.tokens);
      return token && { token_id: token.id };
    },
  },
  {
    operation: 'updateBotStorage',
    times: 3,
    params: ({ random, label }) => ({
      storage: { [`key ${random.between(1, 3)}`]: label('State', 'private') },
    }),
  },
  {
    operation: 'deleteBotStorage',
    params: async ({ random, query }) => {
      const kept = await query('getBotStorage');
      const key = oneOf<string>(random, Object.keys(kept?.storage ?? {}));
      return key === undefined ? undefined : { keys: [key] };
    },
  },
];
