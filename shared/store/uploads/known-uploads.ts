import { playerOf } from '#shared/domain/uploads/media-type.ts';
import { pathIdOf, type Upload } from '#shared/domain/uploads/upload.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Known, KnownUpload } from '#shared/markdown/known.ts';
import { showUploads } from '#shared/markdown/shown-uploads.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import type { Table } from '#shared/table/table.ts';
import { listReadableUploads } from './uploads.ts';

/** The files in a text that its author may access, and which of them are shown as pictures or players. */
export async function listKnownUploads(
  table: Table,
  author: User,
  paths: string[],
): Promise<Pick<Known, 'uploads' | 'showUploads'>> {
  const uploads = await listReadableUploads(table, author, paths);
  const arePreviewed =
    uploads.some(isPreviewed) && (await getOrganization(table)).settings.inline_image_preview;
  const known = uploads.map((upload) => toKnown(upload, arePreviewed));
  return {
    uploads: known,
    ...(known.some(({ image, player }) => image || player) && { showUploads }),
  };
}

/** The organization can turn previews of pictures and videos off. Audio is never previewed. */
const isPreviewed = ({ image, mediaType }: Upload): boolean =>
  image !== undefined || playerOf(mediaType) === 'video';

function toKnown(upload: Upload, arePreviewed: boolean): KnownUpload {
  const { image, mediaType } = upload;
  const pathId = pathIdOf(upload);
  const player = playerOf(mediaType);
  if (player === 'audio' || (player && arePreviewed)) return { pathId, player };
  const [thumbnail] = image?.thumbnails ?? [];
  if (!arePreviewed || !image || thumbnail === undefined) return { pathId };
  return { pathId, image: { pathId, mediaType, width: image.width, height: image.height, thumbnail } };
}
