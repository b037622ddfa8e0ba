import type { FunctionEntry, FunctionList } from '#infra/aws/functions.ts';

/**
 * Functions that load much code, each bundled by itself. With others it would be cut into many parts, and loading a part
 * takes about 0.7 ms of processor time whatever its size.
 */
const ALONE = [
  'add-reaction',
  'answer-mcp',
  'create-reminder',
  'create-scheduled-message',
  'deliver-scheduled-message',
  'export-data',
  'get-events',
  'list-messages',
  'receive-webhook',
  'register-queue',
  'render-message',
  'report-message',
  'run-job',
  'send-message',
  'sweep',
  'test-welcome-message',
];
/** Folders of functions that are bundled together, because they have most of their code in common. */
const TOGETHER = [
  ['messages', 'reminders', 'scheduled-messages', 'topics', 'feeds', 'typing', 'workers'],
  ['channels', 'channel-folders', 'default-channel-groups', 'user-groups', 'drafts', 'alert-words'],
  ['users', 'profile', 'joining', 'invitations', 'bots', 'sessions', 'avatars'],
];

/** All functions, in groups that are bundled one by one: a group shares parts, and none with other groups. */
export function groupFunctions({ endpoints, workers, sockets, fallback }: FunctionList): FunctionEntry[][] {
  const all = [...endpoints, ...workers, ...(fallback ? [fallback] : [])];
  const keyOf = ({ name, file }: FunctionEntry): string => {
    if (ALONE.includes(name)) return name;
    const [, folder = ''] = file.split('/');
    return String(TOGETHER.findIndex((folders) => folders.includes(folder)));
  };
  return [...Map.groupBy(all, keyOf).values(), sockets];
}
