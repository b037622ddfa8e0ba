import type { Gif } from '#web/state/gifs.ts';
import { call } from './api.ts';

export interface GifPage {
  gifs: Gif[];
  next: string | null;
}

/**
 * GIFs of the service's provider for these words; popular GIFs without words.
 * @throws ApiError if the service refuses, Unreachable if it does not answer
 */
export const findGifs = (query: string, next: string, signal: AbortSignal): Promise<GifPage> =>
  call<GifPage>('GET', '/gifs', { query, next }, { signal });
