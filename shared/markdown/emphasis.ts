import type { MarkdownIt } from 'markdown-it';

const BLANK = /^\s?$/;
/** A mark after an opening bracket only opens. */
const OPENING_BRACKET = /[\p{Ps}\p{Pi}]/u;

/**
 * Lets marks of emphasis be between punctuation and letters, as the protocol does. CommonMark does not close
 * at the second mark of `**Note:**text`, which is common in scripts without spaces. Here white space decides.
 */
export function useEmphasis(md: MarkdownIt): void {
  md.inline.State = class extends md.inline.State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const scanned = super.scanDelims(start, canSplitWord);
      const before = start === 0 ? '' : this.src.charAt(start - 1);
      const end = start + scanned.length;
      const after = end < this.posMax ? this.src.charAt(end) : '';
      return {
        ...scanned,
        can_open: scanned.can_open || !BLANK.test(after),
        can_close: scanned.can_close || !(BLANK.test(before) || OPENING_BRACKET.test(before)),
      };
    }
  };
}
