import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { filesOf } from '#shared/domain/uploads/upload.ts';
import { digestOf } from '#shared/runtime/archive.ts';
import { getExports } from '#shared/store/exports.ts';
import { listUploadsOf } from '#shared/store/uploads/uploads.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { SimulatedFiles } from '#tests/simulation/services/simulated-files.ts';
import type { World } from '#tests/simulation/world.ts';
import { claim } from './judge.ts';

const PICTURE = /\/user_avatars\/([0-9a-f-]{36}(?:-[a-z]+)?\.(?:png|gif|webp))\b/g;

/**
 * Files that people see or may fetch are stored, and the contents of a name never change, so that copies stay right.
 */
export async function judgeFiles(world: World, shown: SnapshotData[]): Promise<string[]> {
  const { files, people } = world;
  const { table } = world.services();
  const uploads = await Promise.all(people.map(({ userId }) => listUploadsOf(table, userId)));
  const { exports } = await getExports(table);
  const archives = exports.flatMap(({ file }) => file ?? []);
  const pictures = [...JSON.stringify(shown).matchAll(PICTURE)].map(([, name]) => `pictures/${name}`);
  const named = new Set([...uploads.flat().flatMap(filesOf), ...archives, ...pictures]);
  return [
    ...[...named].flatMap((name) => claim(files.find(name) !== undefined, `The file ${name} is missing`)),
    ...judgeContents(files),
    ...(await Promise.all(archives.map((name) => judgeArchive(name, files.find(name))))).flat(),
  ];
}

const judgeContents = ({ contents }: SimulatedFiles): string[] =>
  contents.flatMap(([name, all]) =>
    claim(new Set(all.map(digestOf)).size <= 1, `The file ${name} was replaced by another one`),
  );

/** An archive holds everything in its list of contents. */
async function judgeArchive(name: string, bytes: Uint8Array | undefined): Promise<string[]> {
  if (!bytes) return [];
  const held = new Map(
    (await unpackTar(gunzipSync(bytes))).map(({ header, data }) => [header.name, Buffer.from(data ?? [])]),
  );
  const manifest = JSON.parse(held.get('manifest.json')?.toString() ?? '{"files":[]}');
  const listed: { name: string; sha256: string }[] = manifest.files;
  return listed.flatMap((one) => {
    const content = held.get(one.name);
    return claim(
      content && digestOf(content) === one.sha256,
      `${name} holds another ${one.name} than it says`,
    );
  });
}
