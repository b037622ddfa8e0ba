import Negotiator from 'negotiator';
import type { Say } from '#shared/domain/texts/texts.ts';
import { languages, sayIn } from './say-in.ts';

/** The texts for a browser that sends this header `Accept-Language`. English without a language that both have. */
export function acceptedTexts(header: string | undefined): Promise<Say> {
  const negotiator = new Negotiator({ headers: { 'accept-language': header ?? '' } });
  return sayIn(negotiator.language(languages) ?? 'en');
}
