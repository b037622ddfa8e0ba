import { type EmojiUses, noteEmojiUse } from '#web/state/emoji-search.ts';
import { keep, readKept } from './device.ts';
import { server } from './store.ts';

const nameOf = (): string => `emoji uses ${server.value.user_id}`;

/** The viewer's choices of emoji on this device. */
export function readEmojiUses(): EmojiUses {
  try {
    return JSON.parse(readKept(nameOf()) ?? '{}');
  } catch {
    return {};
  }
}

export const noteEmoji = (code: string): void =>
  void keep(nameOf(), JSON.stringify(noteEmojiUse(readEmojiUses(), code, Date.now())));
