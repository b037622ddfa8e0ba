import { roles } from '#shared/domain/users/user.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Params, Scene } from './action.ts';
import { note, oneOf } from './action.ts';

const draftOf = (scene: Scene): Params => {
  const content = scene.label('Draft', 'private');
  const channel = oneOf<SnapshotData>(scene.random, scene.state.subscriptions);
  if (!channel || scene.random.chance(0.3)) {
    const to = [scene.random.pick(scene.cast).userId];
    return { type: 'private', to, topic: '', content };
  }
  return { type: 'stream', to: [channel.stream_id], topic: 'one', content };
};

/** Actions on personal data. */
export const ownActions: Action[] = [
  {
    operation: 'confirmNewAddress',
    times: 4,
    by: ({ role }) => role === roles.owner,
    // The own address in other letter case: the scene continues to use the one that it knows.
    given: async ({ caller, mailedAddressKeys, query }) => {
      const to = caller.email.toUpperCase();
      const key = mailedAddressKeys.findLast((one) => one.to === to)?.key;
      if (key === undefined) await query('editSettings', { email: to });
      return key === undefined ? undefined : { key };
    },
  },
  {
    operation: 'createDrafts',
    announces: 'drafts/add',
    times: 2,
    given: (scene) => ({ drafts: [draftOf(scene)] }),
  },
  {
    operation: 'editDraft',
    announces: 'drafts/update',
    given: (scene) => {
      const draft = oneOf<SnapshotData>(scene.random, scene.state.drafts);
      return draft && { draft_id: draft.id, draft: draftOf(scene) };
    },
  },
  {
    operation: 'deleteDraft',
    given: ({ random, state }) => {
      const draft = oneOf<SnapshotData>(random, state.drafts);
      return draft && { draft_id: draft.id };
    },
  },
  {
    operation: 'createSavedSnippet',
    announces: 'saved_snippets/add',
    times: 2,
    given: ({ label }) => ({
      title: label('Snippet', 'private'),
      content: label('Snippet content', 'private'),
    }),
  },
  {
    operation: 'editSavedSnippet',
    announces: 'saved_snippets/update',
    given: ({ random, state, label }) => {
      const snippet = oneOf<SnapshotData>(random, state.saved_snippets);
      return snippet && { saved_snippet_id: snippet.id, title: label('Snippet', 'private') };
    },
  },
  {
    operation: 'deleteSavedSnippet',
    given: ({ random, state }) => {
      const snippet = oneOf<SnapshotData>(random, state.saved_snippets);
      return snippet && { saved_snippet_id: snippet.id };
    },
  },
  {
    operation: 'createNavigationView',
    announces: 'navigation_view/add',
    times: 2,
    given: ({ random, label, word }) => ({
      fragment: `narrow/topic/${word('view')}`,
      is_pinned: random.chance(0.5),
      name: label('View', 'private'),
    }),
  },
  {
    operation: 'editNavigationView',
    announces: 'navigation_view/update',
    given: ({ random, state, label }) => {
      const view = oneOf<SnapshotData>(random, state.navigation_views);
      return (
        view && { fragment: view.fragment, is_pinned: random.chance(0.5), name: label('View', 'private') }
      );
    },
  },
  {
    operation: 'deleteNavigationView',
    given: ({ random, state }) => {
      const view = oneOf<SnapshotData>(random, state.navigation_views);
      return view && { fragment: view.fragment };
    },
  },
  {
    operation: 'addAlertWords',
    times: 2,
    given: ({ label }) => ({ alert_words: [label('Word', 'private'), 'message'] }),
  },
  {
    operation: 'removeAlertWords',
    given: ({ random, state }) => {
      const word = oneOf<SnapshotData>(random, state.alert_words);
      return word && { alert_words: [word] };
    },
  },
  { operation: 'registerClientDevice', times: 2, given: () => ({}) },
  {
    operation: 'registerPushDevice',
    times: 4,
    given: ({ random, state, word }) => {
      const deviceId = oneOf(random, Object.keys(state.devices));
      if (deviceId === undefined) return undefined;
      const key = Buffer.concat([Buffer.from([0x31]), Buffer.alloc(32, random.between(1, 200))]);
      return {
        device_id: Number(deviceId),
        push_key_id: random.between(1, 1_000_000),
        push_key: key.toString('base64'),
        token_kind: 'fcm',
        token_id: Buffer.from(word('token').padEnd(8, 'x').slice(0, 8)).toString('base64'),
        bouncer_public_key: 'key',
        encrypted_push_registration: Buffer.from('registration').toString('base64'),
      };
    },
  },
  {
    operation: 'sendTestNotification',
    times: 2,
    given: ({ state }) => {
      const devices = Object.values<SnapshotData>(state.devices);
      return devices.some((one) => one.push_token_id !== null) ? {} : undefined;
    },
  },
  {
    operation: 'sendOlderTestNotification',
    given: ({ state }) => {
      const devices = Object.values<SnapshotData>(state.devices);
      return devices.some((one) => one.push_token_id !== null) ? {} : undefined;
    },
  },
  {
    operation: 'createApiToken',
    times: 2,
    given: ({ random }) => ({ name: 'Scripts', scopes: [oneOf(random, ['read', 'send', 'organize'])] }),
  },
  {
    operation: 'revokeApiToken',
    given: async ({ random, query }) => {
      const kept = await query('listOwnApiTokens');
      const token = oneOf<SnapshotData>(random, kept?.tokens ?? []);
      return token && { token_id: token.id };
    },
  },
  {
    operation: 'updateBotStorage',
    times: 3,
    given: ({ random, label }) => ({
      storage: { [`key ${random.between(1, 3)}`]: label('State', 'private') },
    }),
  },
  {
    operation: 'deleteBotStorage',
    given: async ({ random, query }) => {
      const kept = await query('getBotStorage');
      const key = oneOf<string>(random, Object.keys(kept?.storage ?? {}));
      return key === undefined ? undefined : { keys: [key] };
    },
  },
  {
    operation: 'removeClientDevice',
    given: ({ random, state }) => {
      const deviceId = oneOf(random, Object.keys(state.devices));
      return deviceId === undefined ? undefined : { device_id: Number(deviceId) };
    },
  },
  {
    operation: 'addApnsToken',
    given: ({ word }) => ({ token: Buffer.from(word('apns')).toString('base64'), appid: 'org.example.App' }),
    after: ({ notes, caller }, _reply, { token }) => note(notes, 'apns', { token, userId: caller.userId }),
  },
  {
    operation: 'removeApnsToken',
    given: ({ random, notes, caller }) => {
      const mine = oneOf(
        random,
        notes.get('apns')?.filter(({ userId }) => userId === caller.userId),
      );
      return mine && { token: mine.token };
    },
  },
  {
    operation: 'addFcmToken',
    given: ({ word }) => ({ token: word('fcm') }),
    after: ({ notes, caller }, _reply, { token }) => note(notes, 'fcm', { token, userId: caller.userId }),
  },
  {
    operation: 'removeFcmToken',
    given: ({ random, notes, caller }) => {
      const mine = oneOf(
        random,
        notes.get('fcm')?.filter(({ userId }) => userId === caller.userId),
      );
      return mine && { token: mine.token };
    },
  },
];
