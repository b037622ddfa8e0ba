/** The form in which names stand in addresses of views: percent signs would be taken for the end of the address. */
const hashEncoded = (name: string): string =>
  encodeURIComponent(name)
    .replace(/[!*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.');

/** The address of a channel's messages, below that of the service. */
export const channelPath = ({ channelId, name }: { channelId: number; name: string }): string =>
  `/#narrow/channel/${channelId}-${hashEncoded(name.replaceAll(' ', '-'))}`;

/** The address of a topic's messages, at one of them where one is given. */
export const topicPath = (channel: { channelId: number; name: string }, topic: string): string =>
  `${channelPath(channel)}/topic/${hashEncoded(topic)}`;

/** An address of the service's own views and files as one within it; any other as it is. */
export function asRelative(url: string, origin: string | undefined): string {
  if (origin === undefined) return url;
  const root = origin.replace(/\/+$/, '');
  if (url.startsWith(`${root}/user_uploads/`)) return url.slice(root.length);
  const prefix = `${root}/#narrow/`;
  return url.startsWith(prefix) ? `#narrow/${url.slice(prefix.length)}` : url;
}
