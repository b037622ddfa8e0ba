import { pathIdOf, type Upload } from '#shared/domain/uploads/upload.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Known, KnownUpload } from '#shared/markdown/known.ts';
import { addPreviews } from '#shared/markdown/previews.ts';
import type { Table } from '#shared/table/table.ts';
import { getOrganization } from './organization.ts';
import { listReadableUploads } from './uploads.ts';

/** The files among those that a text names that its author may have, and what shows pictures among them. */
export async function listKnownUploads(
  table: Table,
  author: User,
  paths: string[],
): Promise<Pick<Known, 'uploads' | 'addPreviews'>> {
  const uploads = await listReadableUploads(table, author, paths);
  const arePicturesShown =
    uploads.some(({ image }) => image) && (await getOrganization(table)).settings.inline_image_preview;
  if (!arePicturesShown) return { uploads: uploads.map((upload) => ({ pathId: pathIdOf(upload) })) };
  return { uploads: uploads.map(withImage), addPreviews };
}

function withImage(upload: Upload): KnownUpload {
  const { image, mediaType } = upload;
  const pathId = pathIdOf(upload);
  const [thumbnail] = image?.thumbnails ?? [];
  if (!image || thumbnail === undefined) return { pathId };
  return { pathId, image: { pathId, mediaType, width: image.width, height: image.height, thumbnail } };
}
