/** Lower case only, because some file systems ignore case; no segment starts with a dot. */
const NAME = /^[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*(\/[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*)*$/;
const MAX_NAME_LENGTH = 200;

const MEDIA_TYPES: Record<string, string> = {
  gif: 'image/gif',
  gz: 'application/gzip',
  json: 'application/json',
  jsonl: 'application/jsonl',
  png: 'image/png',
  webp: 'image/webp',
  zip: 'application/zip',
};

/** Whether a text is a valid name of a stored file: segments between slashes that cannot leave the folder. */
export const isFileName = (text: string): boolean => text.length <= MAX_NAME_LENGTH && NAME.test(text);

/** @throws for an invalid file name; names come from our own code */
export function checkFileName(name: string): void {
  if (!isFileName(name)) throw new Error(`No file of the service can be called ${JSON.stringify(name)}`);
}

/** The media type of a file, by its extension. */
export const mediaTypeOf = (name: string): string =>
  MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
