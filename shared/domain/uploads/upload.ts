/** What a picture that somebody uploaded looks like. */
export interface UploadedImage {
  width: number;
  height: number;
  /** The names of the smaller forms that are kept of it. */
  thumbnails: string[];
}

/** A file that somebody uploaded. */
export interface Upload {
  ownerId: number;
  uploadId: number;
  /** Stands in its address, so that nobody can guess that. */
  uuid: string;
  /** What its owner called it. */
  name: string;
  size: number;
  mediaType: string;
  createdAtSeconds: number;
  /** The messages that name it, ascending. Whoever may read one of them may have the file. */
  messageIds: number[];
  /** Absent of what is no picture that pages show. */
  image?: UploadedImage;
  /** When it goes unless a message names it; absent while one does. */
  unclaimedUntilSeconds?: number;
  revision: number;
}

/** So many messages open a file to their readers; in further ones it stays a link. */
export const MAX_MESSAGES_OF_UPLOAD = 200;
/** A file that no message names is kept so long. */
export const UNCLAIMED_LIFE_SECONDS = 24 * 3600;

/** There is one organization; in addresses of files it has the number that it has in the protocol's examples. */
export const REALM_ID = '2';

/** What is told of a file that is not there, or not for whoever asks. */
export const FILE_GONE = 'This file does not exist or has been deleted.';

const PATH_ID = /^2\/(\d{1,10})-(\d{1,10})\/[0-9a-f-]{36}\/[\w.-]{1,100}$/;

/** The path of a file below `/user_uploads/`. */
export const pathIdOf = (upload: Pick<Upload, 'ownerId' | 'uploadId' | 'uuid' | 'name'>): string =>
  `${REALM_ID}/${upload.ownerId}-${upload.uploadId}/${upload.uuid}/${toAddressName(upload.name)}`;

/** Whose file a path leads to, and which; undefined for a path that leads to none. */
export function readPathId(pathId: string): Pick<Upload, 'ownerId' | 'uploadId'> | undefined {
  const [, ownerId, uploadId] = PATH_ID.exec(pathId) ?? [];
  return ownerId === undefined ? undefined : { ownerId: Number(ownerId), uploadId: Number(uploadId) };
}

/** The address of a file, below that of the service. */
export const uploadUrl = (upload: Upload): string => `/user_uploads/${pathIdOf(upload)}`;

/** The name under which a file is stored, or a smaller form of it. */
export const uploadFile = ({ uuid }: Pick<Upload, 'uuid'>, thumbnail?: string): string =>
  `uploads/${uuid}${thumbnail === undefined ? '' : `-${thumbnail}`}`;

/** All that is stored of an upload. */
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
 * The name of a file as people see it: the last part of what the client says, without marks that hide what it ends with.
 */
export function readFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const visible = last
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return /^\.*$/.test(visible) ? NO_NAME : shorten(visible, MAX_NAME_LENGTH);
}

/** The same in letters that stand in every address as they are. */
function toAddressName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '');
  // In a sentence its end would be taken for that of the address.
  const whole = shorten(plain, MAX_ADDRESS_NAME_LENGTH).replace(/[.-]+$/, '');
  return whole === '' ? NO_NAME : whole;
}

/** What is too long loses its middle, not its ending. */
function shorten(name: string, length: number): string {
  const characters = [...name];
  if (characters.length <= length) return name;
  const ending = /\.[^.]+$/.exec(name)?.[0] ?? '';
  const kept = [...ending].length > MAX_ENDING_LENGTH ? '' : ending;
  return characters.slice(0, length - [...kept].length).join('') + kept;
}
