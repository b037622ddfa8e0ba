import { textOfHtml } from '#shared/domain/html-text.ts';

/** A link of a message that gets a preview. */
export interface PreviewLink {
  /** As the message links to it. */
  url: string;
  kind: 'picture' | 'youtube' | 'vimeo' | 'page';
  /** The address to fetch. */
  source: string;
  /** What names the title, if that is asked for apart. */
  titleSource?: string;
  /** The id of a video. */
  videoId?: string;
}

/** What decides which links get previews. */
export interface PreviewRules {
  /** The address of this service, whose own pages are not fetched. */
  origin: string;
  showsPictures: boolean;
  showsPages: boolean;
}

/** A message with more different links gets no previews. */
const MAX_LINKS = 24;
export const MAX_PREVIEWS = 5;

const LINK = /<(\/?)blockquote>|<a href="(https?:[^"]+)"/g;

/** The links of a rendered text that get previews. Links in quotes get none. */
export function listPreviewLinks(html: string, rules: PreviewRules): PreviewLink[] {
  const found = new Map<string, PreviewLink>();
  let depth = 0;
  for (const [tag, closing, written] of html.matchAll(LINK)) {
    if (written === undefined) depth += tag && closing === '/' ? -1 : 1;
    else if (depth === 0) {
      const link = toPreviewLink(textOfHtml(written), rules);
      if (link) found.set(link.url, link);
    }
  }
  return found.size > MAX_LINKS ? [] : [...found.values()].slice(0, MAX_PREVIEWS);
}

function toPreviewLink(url: string, rules: PreviewRules): PreviewLink | undefined {
  const parsed = URL.parse(url);
  if (!parsed || parsed.host === new URL(rules.origin).host) return undefined;
  const raw = rawPicture(parsed);
  if (raw) return rules.showsPictures ? { url, kind: 'picture', source: raw } : undefined;
  const youtube = youtubeId(parsed);
  if (youtube !== undefined && rules.showsPictures)
    return {
      url,
      kind: 'youtube',
      source: `https://i.ytimg.com/vi/${youtube}/mqdefault.jpg`,
      ...(rules.showsPages && { titleSource: oembedOf(youtube) }),
      videoId: youtube,
    };
  if (!rules.showsPages) return undefined;
  const [, vimeo] = (isHost(parsed, 'vimeo.com') && VIMEO.exec(parsed.pathname)) || [];
  if (vimeo !== undefined) return { url, kind: 'vimeo', source: url, videoId: vimeo };
  return { url, kind: 'page', source: url };
}

/** YouTube's description of a video as JSON (oEmbed). */
const oembedOf = (videoId: string): string =>
  `https://www.youtube.com/oembed?format=json&url=${encodeURIComponent(`https://www.youtube.com/watch?v=${videoId}`)}`;

const PICTURE = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i;
const VIMEO = /^\/(?:(?:channels\/[\w-]+|groups\/[\w-]+\/videos)\/)?(\d{1,15})\/?$/;
const GITHUB_BLOB = /^\/([^/]+\/[^/]+)\/blob\/(.+)$/;
const WIKI_FILE = /^\/wiki\/File:(.+)$/;

/** The address of a picture, by its path; pages about one file lead to the file. */
function rawPicture(url: URL): string | undefined {
  if (!PICTURE.test(url.pathname)) return undefined;
  if (isHost(url, 'github.com')) {
    const [, repository, file] = GITHUB_BLOB.exec(url.pathname) ?? [];
    if (repository && file) return `https://raw.githubusercontent.com/${repository}/${file}`;
  }
  if (url.hostname.endsWith('.wikipedia.org')) {
    const [, file] = WIKI_FILE.exec(url.pathname) ?? [];
    if (file) return `${url.origin}/wiki/Special:FilePath/${file}`;
  }
  if (isHost(url, 'dropbox.com') && url.pathname.startsWith('/scl/fi/')) {
    const raw = new URL(url);
    raw.searchParams.delete('dl');
    raw.searchParams.set('raw', '1');
    return raw.href;
  }
  return url.href;
}

const YOUTUBE_HOSTS = ['youtube.com', 'm.youtube.com', 'youtube-nocookie.com'];
const YOUTUBE_PATH = /^\/(?:embed|shorts|v)\/([^/]+)/;
const VIDEO_ID = /^[0-9A-Za-z_-]{1,30}$/;

function youtubeId(url: URL): string | undefined {
  const named = youtubeName(url);
  return named !== undefined && VIDEO_ID.test(named) ? named : undefined;
}

function youtubeName(url: URL): string | undefined {
  if (isHost(url, 'youtu.be')) return url.pathname.slice(1);
  if (!YOUTUBE_HOSTS.some((host) => isHost(url, host))) return undefined;
  if (url.pathname === '/watch' || url.pathname === '/watch_popup')
    return url.searchParams.get('v') ?? undefined;
  if (url.pathname === '/watch_videos') return url.searchParams.get('video_ids')?.split(',')[0];
  return YOUTUBE_PATH.exec(url.pathname)?.[1];
}

const isHost = ({ hostname }: URL, host: string): boolean => hostname === host || hostname === `www.${host}`;
