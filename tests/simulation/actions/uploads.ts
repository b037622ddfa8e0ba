import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Scene } from './action.ts';
import { note, oneOf } from './action.ts';

/** A file of the caller's that a message names, which no user counts on. */
async function sendFile(scene: Scene): Promise<SnapshotData | undefined> {
  const listed = await scene.query('listAttachments');
  const file = oneOf<SnapshotData>(scene.random, listed?.attachments);
  const channel = oneOf<SnapshotData>(scene.random, scene.state.subscriptions);
  if (!file || !channel) return undefined;
  const content = `[passing](/user_uploads/${file.path_id})`;
  return scene.query('sendMessage', { type: 'channel', to: channel.stream_id, topic: 'one', content });
}

/** A file of two bytes, of which the first has come. */
async function begin(scene: Scene): Promise<{ upload_id: string } | undefined> {
  const begun = await scene.query('beginResumableUpload', { upload_length: 2 });
  return begun && { upload_id: begun.headers.Location.split('/').at(-1) };
}

/** Actions on files. */
export const uploadActions: Action[] = [
  {
    operation: 'uploadFile',
    hasPicture: true,
    times: 3,
    given: () => ({}),
    after: ({ notes, caller }) => note(notes, 'upload', { userId: caller.userId }),
  },
  { operation: 'beginResumableUpload', given: () => ({ upload_length: 2 }) },
  {
    operation: 'continueResumableUpload',
    given: async (scene) => {
      const begun = await begin(scene);
      return begun && { ...begun, upload_offset: 1 };
    },
  },
  { operation: 'abandonResumableUpload', given: begin },
  {
    operation: 'deleteMessage',
    times: 2,
    given: async (scene) => {
      if (!scene.notes.get('upload')?.some(({ userId }) => userId === scene.caller.userId)) return undefined;
      const sent = await sendFile(scene);
      return sent && { message_id: sent.id };
    },
  },
  {
    operation: 'deleteAttachment',
    given: async (scene) => {
      if (!scene.notes.get('upload')?.some(({ userId }) => userId === scene.caller.userId)) return undefined;
      await sendFile(scene);
      const listed = await scene.query('listAttachments');
      const file = oneOf<SnapshotData>(scene.random, listed?.attachments);
      return file && { attachment_id: file.id };
    },
  },
];
