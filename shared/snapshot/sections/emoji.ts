import { toEmojiRecords } from '#shared/domain/emoji/custom-emoji.ts';
import { listCustomEmoji } from '#shared/store/emoji/custom-emoji.ts';
import type { Section } from './section.ts';

/** The organization's own emoji, deactivated ones included. */
export const emojiSection: Section = async ({ services, wants }) =>
  wants('realm_emoji') ? { realm_emoji: toEmojiRecords(await listCustomEmoji(services.table)) } : {};
