import type { Catalogue } from './texts.ts';

/** The texts of the web client in Japanese. */
export const messages: Partial<Catalogue> = {};
