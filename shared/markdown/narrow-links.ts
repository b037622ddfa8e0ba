/** Encodes names in view addresses without percent signs, which would end the address. */
const hashEncoded = (name: string): string =>
  encodeURIComponent(name)
    .replace(/[!*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.');

/** The address of a channel's messages, relative to the service. */
export const channelPath = ({ channelId, name }: { channelId: number; name: string }): string =>
  `/#narrow/channel/${channelId}-${hashEncoded(name.replaceAll(' ', '-'))}`;

/** The address of a topic's messages, optionally at one of them. */
export const topicPath = (channel: { channelId: number; name: string }, topic: string): string =>
  `${channelPath(channel)}/topic/${hashEncoded(topic)}`;

/** Converts addresses of the service's views and files to relative ones; others are unchanged. */
export function asRelative(url: string, origin: string | undefined): string {
  if (origin === undefined) return url;
  const root = origin.replace(/\/+$/, '');
  if (url.startsWith(`${root}/user_uploads/`)) return url.slice(root.length);
  const prefix = `${root}/#narrow/`;
  return url.startsWith(prefix) ? `#narrow/${url.slice(prefix.length)}` : url;
}
