import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Scene } from './action.ts';
import { entryOf, note, noteOfOwn, oneOf } from './action.ts';

/** A file of the caller's that a message names, which no user counts on. */
async function sendFile(scene: Scene): Promise<{ file: SnapshotData; message: SnapshotData } | undefined> {
  if (!noteOfOwn('upload')(scene)) return undefined;
  const listed = await scene.query('listAttachments');
  const file = oneOf<SnapshotData>(scene.random, listed?.attachments);
  const channel = entryOf('subscriptions')(scene);
  if (!file || !channel) return undefined;
  const content = `[passing](/user_uploads/${file.path_id})`;
  const to = channel.stream_id;
  const message = await scene.query('sendMessage', { type: 'channel', to, topic: 'one', content });
  return message && { file, message };
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
    after: ({ notes, caller }) => note(notes, 'upload', { userId: caller.userId }),
  },
  { operation: 'beginResumableUpload', params: () => ({ upload_length: 2 }) },
  {
    operation: 'continueResumableUpload',
    params: async (scene) => {
      const begun = await begin(scene);
      return begun && { ...begun, upload_offset: 1 };
    },
  },
  { operation: 'abandonResumableUpload', params: begin },
  {
    operation: 'deleteMessage',
    times: 2,
    params: async (scene) => {
      const sent = await sendFile(scene);
      return sent && { message_id: sent.message.id };
    },
  },
  {
    operation: 'deleteAttachment',
    params: async (scene) => {
      const sent = await sendFile(scene);
      return sent && { attachment_id: sent.file.id };
    },
  },
];
