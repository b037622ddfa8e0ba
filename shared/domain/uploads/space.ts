import { UploadQuotaExceeded } from '#shared/domain/errors.ts';
import type { Write } from '#shared/table/table.ts';
import { uploadKeys } from '#shared/table/upload-keys.ts';

/** How much all files of the organization come to. */
export interface UploadSpace {
  bytes: number;
  /** 0 before the first file. */
  revision: number;
}

/** How much the files of one account come to, and what it has uploaded since a day began, deleted files included. */
export interface OwnSpace extends UploadSpace {
  ownerId: number;
  dayFromSeconds: number;
  dayBytes: number;
}

/** What a file of an account is counted in. */
export interface UploadSpaces {
  all: UploadSpace;
  own: OwnSpace;
}

/** In mebibytes: what all files may come to, those of one account, and what one account may upload in a day. */
export interface UploadQuotas {
  organization: number;
  account: number;
  accountPerDay: number;
}

const MEBIBYTE = 1024 * 1024;
const DAY_SECONDS = 24 * 3600;

/** @throws UploadQuotaExceeded where there is no room for so many bytes more */
export function requireRoom(
  { all, own }: UploadSpaces,
  size: number,
  quotas: UploadQuotas,
  nowSeconds: number,
): void {
  const isWithin = (bytes: number, mebibytes: number) => bytes + size <= mebibytes * MEBIBYTE;
  if (!isWithin(all.bytes, quotas.organization)) throw new UploadQuotaExceeded('organization');
  if (!isWithin(own.bytes, quotas.account)) throw new UploadQuotaExceeded('account');
  if (!isWithin(dayOf(own, nowSeconds).dayBytes, quotas.accountPerDay)) throw new UploadQuotaExceeded('day');
}

/** So many bytes more are kept for the account. */
export const takingWrites = ({ all, own }: UploadSpaces, size: number, nowSeconds: number): Write[] => {
  const day = dayOf(own, nowSeconds);
  return [
    allWrite(all, all.bytes + size),
    ownWrite({ ...own, ...day, dayBytes: day.dayBytes + size }, own.bytes + size),
  ];
};

/** So many are kept no more. What was uploaded today stays counted: what is deleted was stored all the same. */
export const returningWrites = ({ all, own }: UploadSpaces, size: number): Write[] => [
  allWrite(all, bytesWithout(all, size)),
  ownWrite(own, bytesWithout(own, size)),
];

/** What is kept once a file of this size is gone. */
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
