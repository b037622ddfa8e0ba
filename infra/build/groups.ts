import type { FunctionEntry, FunctionList } from '#infra/aws/functions.ts';

/**
 * Functions that load much code, bundled by themselves or with a few that load the same. With others it would be cut
 * into many parts, and loading a part takes about 0.7 ms of processor time whatever its size.
 */
const FEW = [
  ['add-channel-feed'],
  ['add-reaction'],
  ['answer-mcp'],
  ['create-reminder', 'create-scheduled-message'],
  ['deliver-scheduled-message'],
  ['export-data'],
  ['get-events'],
  ['list-conversations', 'list-messages', 'match-narrow', 'update-message-flags-for-narrow'],
  ['receive-webhook'],
  ['register-queue'],
  ['render-message', 'test-welcome-message'],
  ['report-message'],
  ['run-job'],
  ['send-message'],
  ['sweep'],
];
/** Folders of functions that are bundled together, because they have most of their code in common. */
const TOGETHER = [
  ['messages', 'reminders', 'scheduled-messages', 'topics', 'feeds', 'typing', 'workers'],
  ['channels', 'channel-folders', 'default-channel-groups', 'user-groups', 'drafts', 'alert-words'],
  ['users', 'profile', 'joining', 'invitations', 'bots', 'sessions', 'avatars'],
];

/**
 * All functions, in groups that are bundled one by one: a group shares parts, and none with other groups.
 * @throws Error if a list above names a function that does not exist
 */
export function groupFunctions({ endpoints, workers, sockets, fallback }: FunctionList): FunctionEntry[][] {
  const all = [...endpoints, ...workers, ...(fallback ? [fallback] : [])];
  const unknown = FEW.flat().find((name) => !all.some((entry) => entry.name === name));
  if (unknown !== undefined) throw new Error(`No function has the name ${unknown}`);
  const keyOf = ({ name, file }: FunctionEntry): string => {
    const few = FEW.find((names) => names.includes(name));
    if (few) return few.join();
    const [, folder = ''] = file.split('/');
    return String(TOGETHER.findIndex((folders) => folders.includes(folder)));
  };
  return [...Map.groupBy(all, keyOf).values(), sockets];
}
