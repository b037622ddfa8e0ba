import type { ServiceCatalogue } from './texts.ts';

/** The texts of mails and bots in Japanese. Those that are missing are sent in English. */
export const messages: Partial<ServiceCatalogue> = {};
