import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { expect } from 'vitest';
import { digestOf } from '#shared/runtime/archive.ts';
import type { Client } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines hold JSON of any shape
type Line = any;

/** A downloaded archive of an export, as a user opens it. */
export class Archive {
  readonly files = new Map<string, Buffer>();

  /** The lines of all files whose names begin so. */
  lines(prefix: string): Line[] {
    return [...this.files]
      .filter(([name]) => name.startsWith(prefix) && name.endsWith('.jsonl'))
      .flatMap(([, content]) => content.toString('utf8').split('\n').filter(Boolean))
      .map((line) => JSON.parse(line));
  }

  get manifest(): Line {
    return JSON.parse(this.files.get('manifest.json')?.toString('utf8') ?? '');
  }

  get contents(): string[] {
    return this.lines('messages/').map(({ content }) => content);
  }

  get text(): string {
    return [...this.files.values()].map((content) => content.toString('utf8')).join('\n');
  }

  /** One type of a user's private data. */
  privateOf({ userId }: { userId: number }, kind: string): Line[] {
    return this.lines('private/')
      .filter((line) => line.user_id === userId && line.kind === kind)
      .map(({ value }) => value);
  }
}

/** Opens an archive and holds it against its own list of contents. */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const archive = new Archive();
  for (const { header, data } of await unpackTar(gunzipSync(bytes))) {
    expect(archive.files.has(header.name), header.name).toBe(false);
    archive.files.set(header.name, Buffer.from(data ?? []));
  }
  const listed = archive.manifest.files as { name: string; sha256: string; lines?: number }[];
  expect([...archive.files.keys()]).toEqual([
    'README.txt',
    'manifest.json',
    ...listed.map(({ name }) => name),
  ]);
  for (const { name, sha256, lines } of listed) {
    const content = archive.files.get(name) ?? Buffer.from('');
    expect(digestOf(content), name).toBe(sha256);
    if (lines !== undefined) expect(content.toString('utf8').split('\n').length - 1, name).toBe(lines);
  }
  return archive;
}

/** Follows the address of an archive without any credentials. */
export async function downloadArchive(address: string): Promise<Archive> {
  const response = await fetch(address);
  expect(response.status).toBe(200);
  return openArchive(new Uint8Array(await response.arrayBuffer()));
}

/** The record of an export as a user sees it. */
export async function exportRecordOf(client: Client, exportId: number): Promise<Line> {
  const { body } = await client.get('/export/realm');
  return body.exports.find(({ id }: { id: number }) => id === exportId);
}
