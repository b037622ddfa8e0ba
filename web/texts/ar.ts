import type { Catalogue } from './texts.ts';

/** The texts of the web client in Arabic. */
export const messages: Partial<Catalogue> = {};
