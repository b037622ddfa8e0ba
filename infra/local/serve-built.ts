import { enableCompileCache } from 'node:module';
import { SERVICE, WORKER } from './built.ts';

/**
 * Serves the build, without the sources: the command of the container. With `--sign-in-link` it prints a link for
 * the owner instead.
 */
const SIGN_IN_LINK = '--sign-in-link';

enableCompileCache();
process.env.IMAGE_WORKER ??= WORKER;
const { serve, printSignInLink }: typeof import('./run.ts') = await import(SERVICE);
const isForLink = process.argv.includes(SIGN_IN_LINK);
process.argv = process.argv.filter((argument) => argument !== SIGN_IN_LINK);
await (isForLink ? printSignInLink() : serve(Promise.resolve()));
