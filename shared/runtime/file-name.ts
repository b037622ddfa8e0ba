/** Small letters only, since not every folder tells them from capitals, and no segment begins with a dot. */
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

/** Whether a text can be the name of a stored file: segments between slashes that lead nowhere else. */
export const isFileName = (text: string): boolean => text.length <= MAX_NAME_LENGTH && NAME.test(text);

/** @throws for a name that no file of the service has; our own code makes the names */
export function checkFileName(name: string): void {
  if (!isFileName(name)) throw new Error(`No file of the service can be called ${JSON.stringify(name)}`);
}

/** What kind of file has this name, by its ending. */
export const mediaTypeOf = (name: string): string =>
  MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
