import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../dist/local');

/** The local service in one file, and the thread in which it works on pictures. */
export const SERVICE = join(FOLDER, 'service.mjs');
export const WORKER = join(FOLDER, 'image-worker.mjs');
/** From which sources both were built. */
export const RECORD = join(FOLDER, 'built-from.json');
