import type { PictureShape } from '#shared/domain/pictures/fit.ts';
import { isGenerated } from '#shared/domain/pictures/generated.ts';
import { mediumPicture, pictureFile } from '#shared/domain/pictures/picture.ts';
import { OutcomeUnknown } from '#shared/log/commit.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Picture, Services } from '#shared/runtime/services.ts';

/** Versions of a picture, by the suffix of their names. */
export type PictureForms = Record<string, PictureShape>;

const AVATAR_FORMS: PictureForms = {
  '': { width: 100, height: 100, fit: 'cover' },
  '-medium': { width: 500, height: 500, fit: 'cover' },
};

/**
 * Converts an uploaded file into versions, stores them under a new unguessable name, and passes the names to
 * `use` in the order of the versions. If `use` fails, they are deleted, unless they may have been recorded.
 * @throws BadImage
 */
export async function keepPicture<Result>(
  { files, ids, images }: Services,
  bytes: Uint8Array,
  forms: PictureForms,
  use: (names: string[]) => Promise<Result>,
): Promise<Result> {
  const { pictures } = await images.shrink(bytes, Object.values(forms));
  const base = ids.uuid();
  const kept = Object.keys(forms).map((form, index) => {
    const { bytes: content, format } = pictures[index] as Picture;
    return { name: `${base}${form}.${format}`, content };
  });
  await mapConcurrently(kept, ({ name, content }) => files.put(pictureFile(name), content));
  try {
    return await use(kept.map(({ name }) => name));
  } catch (failure) {
    if (!(failure instanceof OutcomeUnknown))
      await mapConcurrently(kept, ({ name }) => files.remove(pictureFile(name)));
    throw failure;
  }
}

/** The same for a user's picture; `use` gets the name from which the other version's name derives. */
export const keepAvatar = <Result>(
  services: Services,
  bytes: Uint8Array,
  use: (picture: string) => Promise<Result>,
): Promise<Result> => keepPicture(services, bytes, AVATAR_FORMS, ([picture = '']) => use(picture));

/** Deletes a picture that is no longer used. */
export async function dropAvatar({ files }: Services, picture: string | undefined): Promise<void> {
  if (picture === undefined || isGenerated(picture)) return;
  for (const name of [picture, mediumPicture(picture)]) await files.remove(pictureFile(name));
}
