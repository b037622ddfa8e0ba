import type { Gif } from '#web/state/gifs.ts';
import { call } from './api.ts';

export interface GifPage {
  gifs: Gif[];
  next: string | null;
}

/**
 * GIFs of the service's provider: those that these words describe, else popular ones.
 * @throws ApiError where the service refuses, Unreachable where no answer comes
 */
export const findGifs = (query: string, next: string, signal: AbortSignal): Promise<GifPage> =>
  call<GifPage>('GET', '/gifs', { query, next }, { signal });
