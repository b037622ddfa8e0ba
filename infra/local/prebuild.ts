import { ensureWebBuilt } from '../web/ensure-built.ts';
import { ensureLocalBuilt } from './ensure-built.ts';

/** `npm run build:local`: builds what a start would build, for places where a start may not write. */
await Promise.all([ensureLocalBuilt(), ensureWebBuilt()]);
