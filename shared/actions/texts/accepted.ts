import type { Say } from '#shared/domain/texts/texts.ts';
import { hasTexts, sayIn } from './say-in.ts';

/** More languages than any browser lists. */
const MOST_TAGS = 20;

/** The tags of a header `Accept-Language`, the most wanted first. */
const tagsOf = (header: string): string[] =>
  header
    .split(',', MOST_TAGS)
    .map((one) => {
      const [tag = '', ...parameters] = one.split(';').map((part) => part.trim());
      const quality = parameters.find((part) => part.startsWith('q='))?.slice(2);
      return { tag, weight: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);

/** The texts in the first language of a header `Accept-Language` that has any, else in English. */
export const acceptedTexts = (header: string | undefined): Promise<Say> =>
  sayIn(tagsOf(header ?? '').find(hasTexts) ?? 'en');
