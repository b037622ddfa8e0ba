import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The number of the change that a switched copy makes. */
    madeChange: number;
  }
}

/** Set up for every file of a switched copy: says which change its process makes, and those that it starts. */
const own = globalThis as { isMade_?: (number: number) => boolean; made_?: number };
own.made_ = inject('madeChange');
own.isMade_ ??= (number) => number === own.made_;
process.env.MUTANT = String(own.made_);
