import { pictureFile } from '#shared/domain/pictures/picture.ts';
import type { Picture, PictureShape, Services } from '#shared/runtime/services.ts';

/** Forms of one picture by what is added to their names; what has no name of its own has the empty one. */
export type PictureForms = Record<string, PictureShape>;

/**
 * Brings a file that somebody sent into each of the forms and keeps them under a new name that nobody can guess.
 * Returns the names in the order of the forms. @throws BadImage
 */
export async function keepPicture(
  { files, ids, images }: Services,
  bytes: Uint8Array,
  forms: PictureForms,
): Promise<string[]> {
  const pictures = await images.shrink(bytes, Object.values(forms));
  const base = ids.uuid();
  const names = Object.keys(forms).map((form, index) => `${base}${form}.${(pictures[index] as Picture).format}`);
  await Promise.all(
    names.map((name, index) => files.put(pictureFile(name), (pictures[index] as Picture).bytes)),
  );
  return names;
}

/** Takes away the files of pictures that nothing shows any more. */
export async function dropPictures({ files }: Services, names: string[]): Promise<void> {
  await Promise.all(names.map((name) => files.remove(pictureFile(name))));
}
