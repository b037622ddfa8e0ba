import type { Channel } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';
import { call } from './api.ts';
import { attempt, subscribe } from './message-actions.ts';
import { randomId } from './random-id.ts';
import { server, showNotice } from './store.ts';

/** How public a channel is, from the most to the least. */
export type Privacy = 'public' | 'shared history' | 'private';
export const PRIVACIES: readonly [Privacy, string][] = [
  ['public', t('actions.publicEveryMemberCanRead')],
  ['shared history', t('actions.privateSharedHistoryNewSubscribers')],
  ['private', t('actions.privateProtectedHistoryNewSubscribers')],
];

export const privacyOf = ({
  invite_only: isPrivate,
  history_public_to_subscribers: isShared,
}: Channel): Privacy => (isPrivate ? (isShared ? 'shared history' : 'private') : 'public');

/** @throws ApiError in the words of the service */
export const setPrivacy = ({ stream_id: id }: Channel, privacy: Privacy): Promise<unknown> =>
  editChannel(id, { is_private: privacy !== 'public', history_public_to_subscribers: privacy !== 'private' });

/** @throws ApiError in the words of the service */
export const editChannel = (channelId: number, changes: Record<string, unknown>): Promise<unknown> =>
  call('PATCH', `/streams/${channelId}`, changes);

export interface NewChannel {
  name: string;
  description: string;
  privacy: Privacy;
  folderId: number | undefined;
  userIds: number[];
}

/** Creates a channel that the viewer reads; gives its id. @throws ApiError in the words of the service */
export async function createChannel({
  name,
  description,
  privacy,
  folderId,
  userIds,
}: NewChannel): Promise<number> {
  const params = {
    name,
    description,
    subscribers: [server.value.user_id, ...userIds],
    invite_only: privacy !== 'public',
    history_public_to_subscribers: privacy !== 'private',
    folder_id: folderId,
  };
  const options = { idempotencyKey: randomId() };
  return (await call<{ id: number }>('POST', '/channels/create', params, options)).id;
}

/** Leaves a channel at once; the notice offers to return. */
export async function unsubscribe({ name }: Channel): Promise<void> {
  const left = await attempt(t('actions.youStillReadName', { name }), () =>
    call('DELETE', '/users/me/subscriptions', { subscriptions: [name] }),
  );
  if (left)
    showNotice(t('actions.youNoLongerReadName', { name }), {
      label: t('common.undo'),
      run: () => void subscribe(name),
    });
}

/** Changes one thing about the viewer's subscription. @throws ApiError in the words of the service */
export const setOwnProperty = (channelId: number, property: string, value: unknown): Promise<unknown> =>
  call('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property, value }],
  });

/** Puts a channel away; the notice offers to bring it back. */
export async function archive({ stream_id: id, name }: Channel): Promise<void> {
  const set = (isArchived: boolean): Promise<boolean> =>
    attempt(t('actions.nameStaysAsItIs', { name }), () =>
      isArchived ? call('DELETE', `/streams/${id}`) : editChannel(id, { is_archived: false }),
    );
  if (await set(true))
    showNotice(t('actions.nameIsArchived', { name }), {
      label: t('common.undo'),
      run: () => void set(false),
    });
}

export const addSubscribers = (name: string, userIds: number[]): Promise<unknown> =>
  call('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: userIds });

export const removeSubscriber = (name: string, userId: number): Promise<boolean> =>
  attempt(t('actions.theSubscriberWasNotRemoved'), () =>
    call('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [userId] }),
  );
