import { join } from 'node:path';

/** The folder that has the web client in `web`. */
export const DIST = join(import.meta.dirname, '../../dist');
/** From which sources the web client was built. */
export const WEB_RECORD = join(DIST, 'web-built-from.json');
