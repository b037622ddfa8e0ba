import { UploadQuotaExceeded } from '#shared/domain/errors.ts';
import { uploadKeys } from '#shared/table/keys/uploads.ts';
import type { Write } from '#shared/table/table.ts';

/** The total size of the organization's files. */
export interface UploadSpace {
  bytes: number;
  /** 0 before the first file. */
  revision: number;
}

/** The total size of an account's files, and its uploads of the current day, including deleted files. */
export interface OwnSpace extends UploadSpace {
  ownerId: number;
  dayFromSeconds: number;
  dayBytes: number;
}

/** The quotas that an account's file counts towards. */
export interface UploadSpaces {
  all: UploadSpace;
  own: OwnSpace;
}

/** In mebibytes: the quota of the organization, of an account, and of an account's uploads per day. */
export interface UploadQuotas {
  organization: number;
  account: number;
  accountPerDay: number;
}

const MEBIBYTE = 1024 * 1024;
/**
 * The minimum that a file counts towards the daily quota: each is an item, a file and two requests to the
 * store.
 */
const SMALLEST_BYTES = 32 * 1024;

const dayBytesOf = (size: number): number => Math.max(size, SMALLEST_BYTES);
const DAY_SECONDS = 24 * 3600;

/** @throws UploadQuotaExceeded when this many more bytes exceed a quota */
export function requireRoom(
  { all, own }: UploadSpaces,
  size: number,
  quotas: UploadQuotas,
  nowSeconds: number,
): void {
  const isWithin = (bytes: number, mebibytes: number) => bytes <= mebibytes * MEBIBYTE;
  if (!isWithin(all.bytes + size, quotas.organization)) throw new UploadQuotaExceeded('organization');
  if (!isWithin(own.bytes + size, quotas.account)) throw new UploadQuotaExceeded('account');
  const dayBytes = dayOf(own, nowSeconds).dayBytes + dayBytesOf(size);
  if (!isWithin(dayBytes, quotas.accountPerDay)) throw new UploadQuotaExceeded('day');
}

/** Adds a file to the quotas of the account. */
export const takingWrites = ({ all, own }: UploadSpaces, size: number, nowSeconds: number): Write[] => {
  const day = dayOf(own, nowSeconds);
  return [
    allWrite(all, all.bytes + size),
    ownWrite({ ...own, ...day, dayBytes: day.dayBytes + dayBytesOf(size) }, own.bytes + size),
  ];
};

/**
 * Removes a file from the quotas. The uploads of the day are not reduced, because the file was stored all the
 * same.
 */
export const returningWrites = ({ all, own }: UploadSpaces, size: number): Write[] => [
  allWrite(all, bytesWithout(all, size)),
  ownWrite(own, bytesWithout(own, size)),
];

/** The total after a file of this size is deleted. */
export const bytesWithout = ({ bytes }: UploadSpace, size: number): number => Math.max(0, bytes - size);

function dayOf(
  { dayFromSeconds, dayBytes }: OwnSpace,
  nowSeconds: number,
): Pick<OwnSpace, 'dayFromSeconds' | 'dayBytes'> {
  const isOver = nowSeconds >= dayFromSeconds + DAY_SECONDS;
  return isOver ? { dayFromSeconds: nowSeconds, dayBytes: 0 } : { dayFromSeconds, dayBytes };
}

const allWrite = ({ revision }: UploadSpace, bytes: number): Write => ({
  kind: 'put',
  item: { ...uploadKeys.space(), bytes, revision: revision + 1 },
  condition: unchangedSince(revision),
});

const ownWrite = ({ ownerId, dayFromSeconds, dayBytes, revision }: OwnSpace, bytes: number): Write => ({
  kind: 'put',
  item: { ...uploadKeys.ownSpace(ownerId), bytes, dayFromSeconds, dayBytes, revision: revision + 1 },
  condition: unchangedSince(revision),
});

const unchangedSince = (revision: number) => (revision === 0 ? { exists: false } : { equals: { revision } });
