import type { DataExport, ExportType } from '#shared/domain/exports/export.ts';
import { archiveEnd, packPiece } from '#shared/runtime/archive.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { ExportProgress } from '#shared/store/exports.ts';
import { type ArchiveEntry, folderOf, getContents, getPlan } from './parts.ts';

/** The export cannot succeed, even when retried. */
export class ExportImpossible extends Error {}

/** What one run can join within its time limit. */
const MAX_ARCHIVE_BYTES = 4 * 1024 ** 3;

export const archiveFile = (exportId: number, run: number): string =>
  `${folderOf(exportId)}/${run}/team-chat-export-${exportId}.tar.gz`;

/**
 * Joins all parts, after a table of contents, and returns the name of the archive.
 * @throws ExportImpossible
 */
export async function joinParts(
  services: Services,
  asked: DataExport,
  progress: ExportProgress,
): Promise<string> {
  const bytes = progress.parts.reduce((sum, part) => sum + part.bytes, 0);
  if (bytes > MAX_ARCHIVE_BYTES) throw new ExportImpossible('The archive would be larger than 4 GB.');
  const { organization } = await getPlan(services, progress);
  const contents = await mapConcurrently(progress.parts, (part) => getContents(services, part));
  const manifest = describeArchive(organization, asked, progress, contents.flat());
  const opening = [
    { name: 'README.txt', content: Buffer.from(readme(organization.name, asked.type)) },
    { name: 'manifest.json', content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
  ];
  const file = archiveFile(asked.exportId, progress.run);
  await services.files.putPieces(
    file,
    pieces(services, progress, await packPiece(opening, asked.requestedAtMs)),
  );
  return file;
}

async function* pieces(
  { files }: Services,
  { parts }: ExportProgress,
  opening: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield opening;
  for (const { file } of parts) {
    const piece = await files.find(file);
    if (!piece) throw new Error(`The part ${file} of an export is missing`);
    yield piece;
  }
  yield await archiveEnd();
}

function describeArchive(
  organization: { name: string; url: string },
  { exportId, type, requestedAtMs }: DataExport,
  { position }: ExportProgress,
  files: ArchiveEntry[],
) {
  const counts: Record<string, number> = {};
  for (const { name, lines = 1 } of files) {
    const kind = name.split('/')[0]?.replace(/\.jsonl$/, '') ?? name;
    counts[kind] = (counts[kind] ?? 0) + lines;
  }
  return {
    format: 1,
    organization,
    export_id: exportId,
    export_type: type,
    requested_at: new Date(requestedAtMs).toISOString(),
    position,
    counts,
    files,
  };
}

const held: Record<ExportType, string> = {
  public: 'everything that each member may see',
  full_with_consent:
    'everything that each member may see, and the private data of users who agreed to its export',
  full_without_consent: 'everything that people wrote, and all of their settings',
};

const readme = (
  organizationName: string,
  type: ExportType,
): string => `Data of the organization ${organizationName}

This archive holds ${held[type]}. It contains no passwords or keys.

All of it is as of one moment: the position of the organization's log that manifest.json names. Messages that were
sent later are not included. Each message is as it was when its part of the archive was made, some time later: with the
reactions and votes of that time, unless it was deleted by then.

manifest.json          the content: lines and SHA-256 of each file, and the number of objects of each kind
*.jsonl                a JSON object a line, in the form of the service's API
messages/*.jsonl       the messages, oldest first; file names contain their ids
private/*.jsonl        private data of users, if included: settings, subscriptions, drafts and others
files/                 pictures, by the last part of their addresses
`;
