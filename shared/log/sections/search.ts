import { stopWords } from '#shared/domain/search/stop-words.ts';
import type { Section } from './section.ts';

/** The words that a search leaves out. */
export const searchSection: Section = async ({ wants }) =>
  wants('stop_words') ? { stop_words: stopWords } : {};
