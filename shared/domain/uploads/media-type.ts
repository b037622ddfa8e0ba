/**
 * Types that browsers show inline without running anything, by file extension. Everything else is downloaded.
 */
const SHOWN: Record<string, string> = {
  aac: 'audio/aac',
  apng: 'image/apng',
  avif: 'image/avif',
  flac: 'audio/flac',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'video/webm',
  webp: 'image/webp',
};
const shownTypes = new Set(Object.values(SHOWN));

export const UNKNOWN_TYPE = 'application/octet-stream';
/** The types that messages show as pictures. */
export const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
export const PDF = 'application/pdf';

/** The player for an inline type; undefined if it is neither audio nor video. */
export function playerOf(mediaType: string): 'audio' | 'video' | undefined {
  if (!shownTypes.has(mediaType)) return undefined;
  if (mediaType.startsWith('audio/')) return 'audio';
  return mediaType.startsWith('video/') ? 'video' : undefined;
}

/**
 * The media type of a file: an inline type named by the client, else by the file extension, else the generic
 * type.
 */
export function readMediaType(input: string, name: string): string {
  const type = input.split(';')[0]?.trim().toLowerCase() ?? '';
  if (shownTypes.has(type)) return type;
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return type === '' || type === UNKNOWN_TYPE ? (SHOWN[ending] ?? UNKNOWN_TYPE) : UNKNOWN_TYPE;
}
