import * as z from 'zod';
import { readOpenings } from '#shared/runtime/outside/openings.ts';

/** The values that a setting may have: a check that also converts the text, and the same in words. */
export interface Kind<Value> {
  schema: z.ZodType<Value, string>;
  /** Completes "must be …". */
  must: string;
}

/** One option of a deployment, given as `-c name=value` or in `context` of `cdk.json`. */
export interface Setting {
  // biome-ignore lint/suspicious/noExplicitAny: each setting has values of its own type
  kind: Kind<any>;
  /** Its effect, for the page of settings. */
  meaning: string;
  /** What holds without it: a value as the operator would write it, which is then read, … */
  default?: string;
  /** … or in words. */
  otherwise?: string;
  example?: string;
  /** The environment variable by which functions, and `npm start`, know the value. */
  variable?: string;
}

/** A whole number, both ends included. */
export const number = (from: number, to: number): Kind<number> => ({
  schema: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number)
    .pipe(z.number().min(from).max(to)),
  must: `a number from ${from} to ${to}`,
});

export const oneOf = (...numbers: number[]): Kind<number> => ({
  schema: z.string().transform(Number).pipe(z.literal(numbers)),
  must: `one of ${numbers.join(', ')}`,
});

export const choice = <Value extends string>(...values: Value[]): Kind<Value> => ({
  schema: z.enum(values),
  must: values.join(' or '),
});

export const onOrOff: Kind<boolean> = {
  schema: z.enum(['true', 'false']).transform((text) => text === 'true'),
  must: 'true or false',
};

export const text = (pattern: RegExp, must: string): Kind<string> => ({
  schema: z.string().regex(pattern),
  must,
});

export const httpsAddress: Kind<string> = {
  schema: z.url({ protocol: /^https$/, hostname: z.regexes.domain }),
  must: 'an https address',
};

export const openings: Kind<string> = {
  schema: z.string().refine((text) => {
    try {
      return readOpenings(text).length > 0;
    } catch {
      return false;
    }
  }),
  must: 'hosts, addresses or networks, separated by commas, like bots.example.org:5002,10.1.0.0/16',
};

export const email: Kind<string> = { schema: z.email(), must: 'an e-mail address' };

/** An ARN of any partition; `pattern` describes what follows the partition. */
export const arn = (pattern: string, must: string): Kind<string> =>
  text(new RegExp(`^arn:aws(-[a-z]+)*:${pattern}$`), must);

const NAME_AND_VALUE = /^[\w .:/+@-]{1,128}=[\w .:/=+@-]{0,256}$/;

/** Names with values, as the operator writes them: `team=chat,costCenter=42`. */
export const namesWithValues: Kind<Record<string, string>> = {
  schema: z
    .string()
    .refine((list) => list.split(',').every((pair) => NAME_AND_VALUE.test(pair) && !/^aws:/i.test(pair)))
    .transform((list) =>
      Object.fromEntries(
        list
          .split(',')
          .map((pair): [string, string] => [
            pair.slice(0, pair.indexOf('=')),
            pair.slice(pair.indexOf('=') + 1),
          ]),
      ),
    ),
  must: 'a list like team=chat,costCenter=42',
};
