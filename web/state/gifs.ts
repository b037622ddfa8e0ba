import type { Snapshot } from './wire.ts';

/** A moving picture of the service's provider. */
export interface Gif {
  id: string;
  title: string;
  /** What a message links to. */
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

/** What a message shows as the picture alone. */
export const gifText = ({ url }: Gif): string => `[](${url}) `;

/** More GIFs behind those that are shown; a provider may repeat some. */
export const withMoreGifs = (shown: readonly Gif[], more: readonly Gif[]): Gif[] => [
  ...new Map([...shown, ...more].map((gif) => [gif.id, gif])).values(),
];
