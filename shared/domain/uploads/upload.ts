/** The properties of an uploaded picture. */
export interface UploadedImage {
  width: number;
  height: number;
  /** The names of its stored thumbnails. */
  thumbnails: string[];
}

/** An uploaded file. */
export interface Upload {
  ownerId: number;
  uploadId: number;
  /** Part of its address, which makes it unguessable. */
  uuid: string;
  /** The owner's file name. */
  name: string;
  size: number;
  mediaType: string;
  createdAtSeconds: number;
  /** The messages that link to it, ascending. Readers of any of them may read the file. */
  messageIds: number[];
  /** Absent for files that are not inline pictures. */
  image?: UploadedImage;
  /** When it expires without a link; absent while a message links to it. */
  unclaimedUntilSeconds?: number;
  revision: number;
}

/** The maximum number of messages that give access to a file; in further ones it is only a link. */
export const MAX_MESSAGES_OF_UPLOAD = 200;
/** How long a file without links is kept. */
export const UNCLAIMED_LIFE_SECONDS = 24 * 3600;

/** The organization's number in file addresses, as in the protocol's examples. */
export const REALM_ID = '2';

/** The error for missing files and for those hidden from the caller. */
export const FILE_GONE = 'This file does not exist or has been deleted.';

const PATH_ID = /^2\/(\d{1,10})-(\d{1,10})\/[0-9a-f-]{36}\/[\w.-]{1,100}$/;

/** The path of a file below `/user_uploads/`. */
export const pathIdOf = (upload: Pick<Upload, 'ownerId' | 'uploadId' | 'uuid' | 'name'>): string =>
  `${REALM_ID}/${upload.ownerId}-${upload.uploadId}/${upload.uuid}/${toAddressName(upload.name)}`;

/** Owner and id in a file path; undefined for malformed paths. */
export function readPathId(pathId: string): Pick<Upload, 'ownerId' | 'uploadId'> | undefined {
  const [, ownerId, uploadId] = PATH_ID.exec(pathId) ?? [];
  return ownerId === undefined ? undefined : { ownerId: Number(ownerId), uploadId: Number(uploadId) };
}

/** The address of a file relative to the service. */
export const uploadUrl = (upload: Upload): string => `/user_uploads/${pathIdOf(upload)}`;

/** The storage name of a file or its thumbnail. */
export const uploadFile = ({ uuid }: Pick<Upload, 'uuid'>, thumbnail?: string): string =>
  `uploads/${uuid}${thumbnail === undefined ? '' : `-${thumbnail}`}`;

/** All stored objects of an upload. */
export const filesOf = (upload: Upload): string[] => [
  uploadFile(upload),
  ...(upload.image?.thumbnails ?? []).map((thumbnail) => uploadFile(upload, thumbnail)),
];

/** The attachment object of the protocol. */
export const toAttachmentRecord = (upload: Upload) => ({
  id: upload.uploadId,
  name: upload.name,
  path_id: pathIdOf(upload),
  size: upload.size,
  create_time: upload.createdAtSeconds,
  message_ids: upload.messageIds,
});
export type AttachmentRecord = ReturnType<typeof toAttachmentRecord>;

const NO_NAME = 'uploaded-file';
const MAX_NAME_LENGTH = 200;
const MAX_ENDING_LENGTH = 20;
const MAX_ADDRESS_NAME_LENGTH = 80;

/**
 * The display name of a file: the last part of the client's path, without characters that disguise its
 * extension.
 */
export function readFileName(input: string): string {
  const last = input.split(/[/\\]/).at(-1) ?? '';
  const visible = last
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return /^\.*$/.test(visible) ? NO_NAME : shorten(visible, MAX_NAME_LENGTH);
}

/** The same with characters that need no escaping in addresses. */
function toAddressName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '');
  // At the end of a sentence, trailing punctuation would not count as part of the address.
  const whole = shorten(plain, MAX_ADDRESS_NAME_LENGTH).replace(/[.-]+$/, '');
  return whole === '' ? NO_NAME : whole;
}

/** Long names are shortened in the middle, to keep the extension. */
function shorten(name: string, length: number): string {
  const characters = [...name];
  if (characters.length <= length) return name;
  const ending = /\.[^.]+$/.exec(name)?.[0] ?? '';
  const kept = [...ending].length > MAX_ENDING_LENGTH ? '' : ending;
  return characters.slice(0, length - [...kept].length).join('') + kept;
}
