import { join } from 'node:path';

/** The folder of the repository. Apart from the tests of the stacks, which load the whole CDK. */
export const ROOT = join(import.meta.dirname, '../..');
