import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { isFileName, mediaTypeOf } from '#shared/runtime/file-name.ts';
import { byName } from '../../by-name.ts';
import type { FilesTarget, StoredFile } from './place.ts';

export interface Bucket {
  client: S3Client;
  name: string;
}

/** In memory at once. */
const RANGE_BYTES = 8 * 1024 * 1024;

/** A version of a file, or the mark of its removal. */
interface Version {
  key: string;
  id: string | undefined;
  size: number;
  atMs: number;
  isRemoval: boolean;
}

/** The files as they were at an instant, by name, from after one of them on. Needs a bucket with versions. */
export async function* filesAt(bucket: Bucket, instant: Date, after = ''): AsyncGenerator<StoredFile> {
  let newest: Version | undefined;
  for await (const version of versionsOf(bucket, after)) {
    if (version.key !== newest?.key) {
      if (newest && !newest.isRemoval) yield fileOf(bucket, newest);
      newest = undefined;
    }
    const isThen = version.atMs <= instant.getTime() && isFileName(version.key) && version.key > after;
    // The bucket lists the newest first, also of equal times.
    if (isThen && (!newest || version.atMs > newest.atMs)) newest = version;
  }
  if (newest && !newest.isRemoval) yield fileOf(bucket, newest);
}

/** By key, since versions and removals of one key come on one page or on the next. */
async function* versionsOf({ client, name }: Bucket, after: string): AsyncGenerator<Version> {
  let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {
    KeyMarker: after || undefined,
  };
  while (next) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket: name, ...next }),
    );
    const versions = [
      ...(page.Versions ?? []).map((version) => toVersion(version, false)),
      ...(page.DeleteMarkers ?? []).map((marker) => toVersion(marker, true)),
    ];
    yield* versions.sort((version, other) => byName(version.key, other.key));
    next = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
      : undefined;
  }
}

const toVersion = (
  { Key = '', VersionId, Size, LastModified }: ObjectVersion,
  isRemoval: boolean,
): Version => ({ key: Key, id: VersionId, size: Number(Size), atMs: Number(LastModified), isRemoval });

const fileOf = (bucket: Bucket, { key, id, size }: Version): StoredFile => ({
  name: key,
  size,
  read: () => readRanges(bucket, key, size, id),
});

/** In ranges, so that an interrupted answer costs one of them. */
export async function* readRanges(
  { client, name }: Bucket,
  key: string,
  size: number,
  version?: string,
): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < size; from += RANGE_BYTES) {
    const reply = await client.send(
      new GetObjectCommand({
        Bucket: name,
        Key: key,
        Range: `bytes=${from}-${Math.min(size, from + RANGE_BYTES) - 1}`,
        VersionId: version,
      }),
    );
    if (!reply.Body) throw new Error(`S3 sent nothing of ${key}`);
    yield await reply.Body.transformToByteArray();
  }
}

/** The keys below a prefix, with their sizes. */
export async function* keysIn(
  { client, name }: Bucket,
  prefix = '',
): AsyncGenerator<{ key: string; size: number }> {
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: name,
        Prefix: prefix,
        ContinuationToken: token,
      }),
    );
    for (const { Key = '', Size } of page.Contents ?? []) yield { key: Key, size: Number(Size) };
    token = page.NextContinuationToken;
  } while (token);
}

/** Removes everything below a prefix permanently, including earlier versions. */
export async function purge(bucket: Bucket, prefix: string): Promise<void> {
  const { client, name } = bucket;
  for await (const { key, id } of versionsOf(bucket, prefix)) {
    if (!key.startsWith(prefix)) return;
    await client.send(new DeleteObjectCommand({ Bucket: name, Key: key, VersionId: id }));
  }
}

/** The files of a deployed service. */
export const bucketTarget = ({ client, name }: Bucket): FilesTarget => ({
  async put(key, _size, pieces) {
    const params = {
      Bucket: name,
      Key: key,
      Body: Readable.from(pieces),
      ContentType: mediaTypeOf(key),
    };
    await new Upload({ client, params }).done();
  },
  async *list() {
    for await (const { key } of keysIn({ client, name })) if (isFileName(key)) yield key;
  },
  async remove(key) {
    await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }));
  },
});
