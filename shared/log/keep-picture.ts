import type { PictureShape } from '#shared/domain/pictures/fit.ts';
import { isGenerated } from '#shared/domain/pictures/generated.ts';
import { mediumPicture, pictureFile } from '#shared/domain/pictures/picture.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Picture, Services } from '#shared/runtime/services.ts';

/** Forms of one picture by what is added to their names. */
export type PictureForms = Record<string, PictureShape>;

const AVATAR_FORMS: PictureForms = {
  '': { width: 100, height: 100, fit: 'cover' },
  '-medium': { width: 500, height: 500, fit: 'cover' },
};

/**
 * Brings a file that somebody sent into each of the forms and keeps them under a new name that nobody can guess, for
 * `use`, which gets their names in the order of the forms. What it could not use is taken away again. @throws BadImage
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
    await mapConcurrently(kept, ({ name }) => files.remove(pictureFile(name)));
    throw failure;
  }
}

/** The same for a picture of somebody; `use` gets the name that its other form's is made of. */
export const keepAvatar = <Result>(
  services: Services,
  bytes: Uint8Array,
  use: (picture: string) => Promise<Result>,
): Promise<Result> => keepPicture(services, bytes, AVATAR_FORMS, ([picture = '']) => use(picture));

/** Takes a picture away that nothing shows any more. */
export async function dropAvatar({ files }: Services, picture: string | undefined): Promise<void> {
  if (picture === undefined || isGenerated(picture)) return;
  for (const name of [picture, mediumPicture(picture)]) await files.remove(pictureFile(name));
}
