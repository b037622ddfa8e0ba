import { BadRequest, DeclaredError } from '#shared/domain/errors.ts';

/** A moving picture of a provider. */
export interface Gif {
  id: string;
  /** A description; empty if the provider has none. */
  title: string;
  /** The address for messages. */
  url: string;
  width: number;
  height: number;
  /** The small form that the picker shows. */
  preview: string;
}

export interface GifPage {
  gifs: Gif[];
  /** Leads to the next page; null on the last one. */
  next: string | null;
}

/** A search; popular GIFs if the query is empty. */
export interface GifSearch {
  query: string;
  /** From the page before; empty for the first one. */
  next: string;
  rating: GifRating;
}

/** The highest rating that is shown, by the names of GIPHY. */
export type GifRating = 'y' | 'g' | 'pg' | 'pg-13' | 'r';

/** By the organization's setting `gif_rating_policy`; 0 disables GIFs. */
const RATINGS: readonly (GifRating | undefined)[] = [undefined, 'y', 'g', 'pg', 'pg-13', 'r'];

/** The provider did not answer, or refused. */
export class GifProviderFailure extends DeclaredError {
  readonly status = 502;
  readonly code = 'BAD_GATEWAY';
  constructor() {
    super('The GIF provider does not answer.');
  }
}

/** @throws BadRequest when the organization has disabled GIFs */
export function ratingOf(policy: number): GifRating {
  const rating = RATINGS[policy];
  if (!rating) throw new BadRequest('GIFs are disabled in this organization.');
  return rating;
}
