import { roles } from '#shared/domain/users/user.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Scene } from './action.ts';
import { oneOf } from './action.ts';

/** A message of the caller's own that no user depends on; undefined if it could not be sent. */
async function sendPassing(scene: Scene, topic: string): Promise<SnapshotData | undefined> {
  const channel = oneOf<SnapshotData>(scene.random, scene.state.subscriptions);
  if (!channel) return undefined;
  const to = channel.stream_id;
  const sent = await scene.query('sendMessage', { type: 'channel', to, topic, content: 'passing' });
  return sent && { stream_id: to, message_id: sent.id };
}

/** Actions on sent messages. */
export const messageChangeActions: Action[] = [
  {
    operation: 'editMessage',
    times: 3,
    given: async (scene) => {
      const sent = await sendPassing(scene, 'one');
      const topic = scene.random.pick(['two', 'three']);
      return sent && { message_id: sent.message_id, topic, send_notification_to_new_thread: false };
    },
  },
  {
    operation: 'deleteMessage',
    times: 2,
    given: async (scene) => {
      const sent = await sendPassing(scene, 'one');
      return sent && { message_id: sent.message_id };
    },
  },
  {
    operation: 'deleteTopic',
    by: ({ role }) => role <= roles.administrator,
    times: 2,
    given: async (scene) => {
      const topic = `passing ${scene.random.between(1, 1_000_000)}`;
      const sent = await sendPassing(scene, topic);
      return sent && { stream_id: sent.stream_id, topic_name: topic };
    },
  },
];
