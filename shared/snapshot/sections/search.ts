import { stopWords } from '#shared/domain/search/stop-words.ts';
import type { Section } from './section.ts';

/** The stop words of the search. */
export const searchSection: Section = async ({ wants }) =>
  wants('stop_words') ? { stop_words: stopWords } : {};
