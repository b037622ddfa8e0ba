import type { Snapshot } from './wire.ts';

/** A moving picture of the service's provider. */
export interface Gif {
  id: string;
  title: string;
  /** The address for messages. */
  url: string;
  width: number;
  height: number;
  /** The small form, at the service's own address. */
  preview_url: string;
}

export type GifSettings = Pick<Snapshot, 'server_gif_provider' | 'realm_gif_rating_policy'>;

const DISABLED = 0;

/** The name of the provider of GIFs; undefined if there is none, or the organization has disabled GIFs. */
export const gifProviderOf = (settings: GifSettings): string | undefined =>
  settings.realm_gif_rating_policy === DISABLED ? undefined : (settings.server_gif_provider ?? undefined);

/** The Markdown of a picture without a title. */
export const gifText = ({ url }: Gif): string => `[](${url}) `;

/** Appends the next page without repetitions, which providers send. */
export const withMoreGifs = (shown: readonly Gif[], more: readonly Gif[]): Gif[] => [
  ...new Map([...shown, ...more].map((gif) => [gif.id, gif])).values(),
];
