import { enableCompileCache } from 'node:module';
import { ensureWebBuilt } from '../web/ensure-built.ts';
import { SERVICE, WORKER } from './built.ts';
import { ensureLocalBuilt } from './ensure-built.ts';

/** `npm start`: the whole service on this computer; with `--serve`, as of `npm run serve`, for others too. */

/**
 * From this size on, glibc gives memory back to the system at once. By itself it keeps as much in each thread as the
 * largest piece took there, and a password is hashed with 19 MB, in four threads.
 */
const RETURNED_FROM_BYTES = '1048576';

// The C library reads it when a process begins.
if (process.platform === 'linux' && process.env.MALLOC_MMAP_THRESHOLD_ === undefined)
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    MALLOC_MMAP_THRESHOLD_: RETURNED_FROM_BYTES,
  });
enableCompileCache();
process.env.IMAGE_WORKER ??= WORKER;
await ensureLocalBuilt();
// Not before, so that the service listens as soon as it can.
const webBuilt = ensureWebBuilt();
const { run, serve }: typeof import('./run.ts') = await import(SERVICE);
await (process.argv.includes('--serve') ? serve : run)(webBuilt);
