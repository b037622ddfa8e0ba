import type { Known } from '#shared/markdown/known.ts';
import type { References } from '#shared/markdown/references.ts';

type Parts = Pick<Known, 'unicodeEmoji' | 'highlight' | 'setMath'>;

/** The larger parts of the renderer, which a function loads when it meets the first text that needs them. */
export async function loadParts({ needs }: References): Promise<Parts> {
  const [emoji, code, math] = await Promise.all([
    needs.unicodeEmoji ? import('#shared/domain/emoji/unicode-emoji.ts') : undefined,
    needs.highlight ? import('#shared/markdown/highlight.ts') : undefined,
    needs.math ? import('#shared/markdown/math.ts') : undefined,
  ]);
  return {
    ...(emoji && { unicodeEmoji: { findCode: emoji.findEmojiCode, findName: emoji.findEmojiName } }),
    ...(code && { highlight: code.highlight }),
    ...(math && { setMath: math.setMath }),
  };
}
