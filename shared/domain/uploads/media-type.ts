/** What browsers show without running anything of it, by the endings of names. Everything else is downloaded. */
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
/** Those among them that messages show. */
export const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
export const PDF = 'application/pdf';

/** What plays a file of a type that is shown; undefined for what is neither sound nor film. */
export function playerOf(mediaType: string): 'audio' | 'video' | undefined {
  if (!shownTypes.has(mediaType)) return undefined;
  if (mediaType.startsWith('audio/')) return 'audio';
  return mediaType.startsWith('video/') ? 'video' : undefined;
}

/** The type of a file: one that is shown where its client or, if that does not know, its name says so; else none in particular. */
export function readMediaType(given: string, name: string): string {
  const type = given.split(';')[0]?.trim().toLowerCase() ?? '';
  if (shownTypes.has(type)) return type;
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return type === '' || type === UNKNOWN_TYPE ? (SHOWN[ending] ?? UNKNOWN_TYPE) : UNKNOWN_TYPE;
}
