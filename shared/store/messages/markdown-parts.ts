import type { Known, SetMath } from '#shared/markdown/known.ts';
import type { References } from '#shared/markdown/references.ts';

type Parts = Pick<Known, 'unicodeEmoji' | 'highlight' | 'setMath' | 'mathElements'>;

/** Loads the large parts of the renderer when the first text needs them. */
export async function loadParts({ needs }: References): Promise<Parts> {
  const [emoji, code, math, elements] = await Promise.all([
    needs.unicodeEmoji ? import('#shared/domain/emoji/unicode-emoji.ts') : undefined,
    needs.highlight ? import('#shared/markdown/highlight.ts') : undefined,
    needs.math ? import('#shared/markdown/math.ts') : undefined,
    needs.math ? import('#shared/markdown/math-elements.ts') : undefined,
  ]);
  return {
    ...(emoji && { unicodeEmoji: { findCode: emoji.findEmojiCode, findName: emoji.findEmojiName } }),
    ...(code && { highlight: code.highlight }),
    ...(math && { setMath: quietly(math.setMath) }),
    ...(elements && { mathElements: elements.mathElements }),
  };
}

/** The library logs a warning for every character of unknown width: thousands of lines for one message. */
const quietly =
  (setMath: SetMath): SetMath =>
  (formula, isDisplayed) => {
    const { warn } = console;
    console.warn = () => undefined;
    try {
      return setMath(formula, isDisplayed);
    } finally {
      console.warn = warn;
    }
  };
