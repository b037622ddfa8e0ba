import { parentPort } from 'node:worker_threads';
import { BadImage } from '#shared/domain/errors.ts';
import type { PictureShape } from '#shared/domain/pictures/fit.ts';
import type { ShrunkPicture } from '#shared/runtime/services.ts';
import { loadLibrary, shrinkBy } from './libvips.ts';

/** A task for the thread. */
export interface ImageOrder {
  bytes: Uint8Array;
  shapes: PictureShape[];
}

/** The answer to a task; after `isSpoilt` the thread must not be used again. */
export type ImageAnswer = { shrunk: ShrunkPicture } | { refusal: string; isSpoilt: boolean };

/** The thread that decodes pictures, so that a malicious one cannot stop the service. */
const library = loadLibrary();

parentPort?.on('message', (order: ImageOrder) => {
  void answer(order).then((input) => parentPort?.postMessage(input));
});

async function answer({ bytes, shapes }: ImageOrder): Promise<ImageAnswer> {
  const vips = await library;
  try {
    return { shrunk: shrinkBy(vips, bytes, shapes) };
  } catch (failure) {
    const refusal = failure instanceof BadImage ? failure.message : 'Invalid image format';
    // After running out of memory the library is unusable.
    return { refusal, isSpoilt: failure instanceof WebAssembly.RuntimeError };
  }
}
