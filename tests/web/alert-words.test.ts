import { describe, expect, test } from 'vitest';
import { alertPattern, alertPieces } from '#web/state/feed/alert-words.ts';

const marked = (text: string, ...words: string[]): string => {
  const pattern = alertPattern(words);
  if (!pattern) return text;
  return alertPieces(text, pattern)
    .map(({ text: piece, isAlert }) => (isAlert ? `[${piece}]` : piece))
    .join('');
};

describe('an alert word', () => {
  test('is marked wherever it stands as a whole, in any case', () => {
    expect(marked('Deploy now; the deploy, redeploy.', 'deploy')).toBe(
      '[Deploy] now; the [deploy], redeploy.',
    );
  });

  test('may be a phrase, and goes before a shorter one', () => {
    expect(marked('code red!', 'code', 'code red')).toBe('[code red]!');
  });

  test('may have signs that mean something elsewhere', () => {
    expect(marked('c++ or (c)', 'c++', '(c)')).toBe('[c++] or [(c)]');
  });

  test('of which there is none marks nothing', () => {
    expect(marked('quiet')).toBe('quiet');
  });
});
