import { keepConversations } from './keeping.ts';
import { watchVersion } from './version.ts';
import { installWorker } from './worker.ts';

/** Lets the client open without network from now on, and notices newer versions of it. Returns what ends it. */
export function watchOffline(userId: number): () => void {
  void installWorker();
  const ends = [keepConversations(userId), watchVersion()];
  return () => {
    for (const end of ends) end();
  };
}
