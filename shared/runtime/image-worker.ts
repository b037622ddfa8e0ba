import { parentPort } from 'node:worker_threads';
import { BadImage } from '#shared/domain/errors.ts';
import type { PictureShape } from '#shared/domain/pictures/fit.ts';
import { loadLibrary, shrinkBy } from './libvips.ts';
import type { ShrunkPicture } from './services.ts';

/** What the thread is asked. */
export interface ImageOrder {
  bytes: Uint8Array;
  shapes: PictureShape[];
}

/** What it answers, once for each order; after `isSpoilt` it must not be asked again. */
export type ImageAnswer = { shrunk: ShrunkPicture } | { refusal: string; isSpoilt: boolean };

/** The thread in which pictures are decoded: whatever one does to it, the service goes on. */
const library = loadLibrary();

parentPort?.on('message', (order: ImageOrder) => {
  void answer(order).then((given) => parentPort?.postMessage(given));
});

async function answer({ bytes, shapes }: ImageOrder): Promise<ImageAnswer> {
  const vips = await library;
  try {
    return { shrunk: shrinkBy(vips, bytes, shapes) };
  } catch (failure) {
    const refusal = failure instanceof BadImage ? failure.message : 'Invalid image format';
    // The library stops for good where it finds no memory.
    return { refusal, isSpoilt: failure instanceof WebAssembly.RuntimeError };
  }
}
