import { describe, expect, test } from 'vitest';
import { alertPattern, alertPieces } from '#web/state/feed/alert-words.ts';

const marked = (text: string, ...words: string[]): string => {
  const pattern = alertPattern(words);
  if (!pattern) return text;
  return alertPieces(text, pattern)
    .map(({ text: piece, isAlert }) => (isAlert ? `[${piece}]` : piece))
    .join('');
};

describe('An alert word', () => {
  test('Matches wherever it is a whole word, in any case', () => {
    expect(marked('Deploy now; the deploy, redeploy.', 'deploy')).toBe(
      '[Deploy] now; the [deploy], redeploy.',
    );
  });

  test('May be a phrase, and wins over a shorter one', () => {
    expect(marked('code red!', 'code', 'code red')).toBe('[code red]!');
  });

  test('May have signs with a meaning in regular expressions', () => {
    expect(marked('c++ or (c)', 'c++', '(c)')).toBe('[c++] or [(c)]');
  });

  test('Matches in any composition, and in scripts without spaces within a word', () => {
    expect(marked('un cafe\u0301, cafés', 'café')).toBe('un [cafe\u0301], cafés');
    expect(marked('the cafe\u0301', 'cafe')).toBe('the cafe\u0301');
    expect(marked('회의록을 東京都', '회의록', '東京')).toBe('[회의록]을 [東京]都');
    expect(marked('npm을', 'npm')).toBe('[npm]을');
  });

  test('Leaves the text around it whole, in as few pieces as possible', () => {
    const piecesOf = (whole: string) =>
      alertPieces(whole, alertPattern(['deploy']) ?? /$^/g).map(({ text, isAlert }) =>
        isAlert ? `*${text}` : text,
      );
    expect(piecesOf('deploy')).toEqual(['*deploy']);
    expect(piecesOf('a deploy')).toEqual(['a ', '*deploy']);
    expect(piecesOf('deploy now')).toEqual(['*deploy', ' now']);
    expect(piecesOf('a deploy now')).toEqual(['a ', '*deploy', ' now']);
  });

  test('Marks nothing if there is none', () => {
    expect(marked('quiet')).toBe('quiet');
  });
});
