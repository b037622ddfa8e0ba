import type { Catalogue } from './texts.ts';

/** The texts of the web client in German. */
export const messages: Partial<Catalogue> = {};
