import { join } from 'node:path';

/** The folder of the repository. Apart from what is said of the stacks, which loads the whole CDK. */
export const ROOT = join(import.meta.dirname, '../..');
