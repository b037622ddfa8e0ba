import * as z from 'zod/mini';
import { BadRequest, ConfusingArguments, MissingArgument } from '#shared/domain/errors.ts';
import { hasUnfitCharacter } from '#shared/domain/names.ts';

/**
 * How the text of one parameter becomes a value (reference, "Common conventions"): `text` takes it unchanged,
 * `json` parses it, `jsonOrText` parses valid JSON and takes everything else as text.
 */
export interface Parameter<Value> {
  encoding: 'text' | 'json' | 'jsonOrText';
  // biome-ignore lint/suspicious/noExplicitAny: the input of the schema is the parsed text, of any type
  schema: z.ZodMiniType<any>;
  required: boolean;
  fallback: Value | undefined;
  aliases: string[];
  /** The fields within a JSON value that may be fractions. */
  fractional?: string[];
  description: string;
}

type Schema = z.ZodMiniType;
export type Parameters = Record<string, Parameter<unknown>>;
export type ValuesOf<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never;
};

const parameter =
  (encoding: Parameter<unknown>['encoding']) =>
  <S extends Schema>(schema: S, description: string): Parameter<z.output<S>> => ({
    encoding,
    schema,
    required: true,
    fallback: undefined,
    aliases: [],
    description,
  });

/** A required parameter whose value is a JSON text. */
export const json = parameter('json');
/** A required parameter whose value is the text itself. */
export const text = parameter('text');
/** A required parameter that is JSON if it parses as JSON, otherwise text. */
export const jsonOrText = parameter('jsonOrText');

export const optional = <Value>(parameter: Parameter<Value>): Parameter<Value | undefined> => ({
  ...parameter,
  required: false,
});

export const withDefault = <Value>(parameter: Parameter<Value>, fallback: Value): Parameter<Value> => ({
  ...parameter,
  required: false,
  fallback,
});

export const withAlias = <Value>(parameter: Parameter<Value>, ...aliases: string[]): Parameter<Value> => ({
  ...parameter,
  aliases,
});

/** A JSON parameter with fields that may be fractions; all other numbers of the protocol are integers. */
export const withFractions = <Value>(
  parameter: Parameter<Value>,
  ...fractional: string[]
): Parameter<Value> => ({
  ...parameter,
  fractional,
});

/** The sources of parameters, in order of precedence. */
export interface ParameterTexts {
  path: Map<string, string>;
  body: Map<string, string>;
  query: Map<string, string>;
}

/** @throws BadRequest, MissingArgument or ConfusingArguments, with the texts of the protocol */
export function readParameters<P extends Parameters>(declared: P, texts: ParameterTexts): ValuesOf<P> {
  const values = Object.entries(declared).map(([name, parameter]) => {
    const text = findText(name, parameter, texts);
    if (text !== undefined) return [name, readValue(name, parameter, text)];
    if (parameter.required) throw new MissingArgument(name);
    return [name, parameter.fallback];
  });
  return Object.fromEntries(values) as ValuesOf<P>;
}

/** Names of given parameters that the endpoint does not know, for `ignored_parameters_unsupported`. */
export function ignoredParameters(declared: Parameters, texts: ParameterTexts): string[] {
  const known = new Set(['client', 'method']);
  for (const [name, { aliases }] of Object.entries(declared))
    for (const alias of [name, ...aliases]) known.add(alias);
  return [...new Set([...texts.body.keys(), ...texts.query.keys()])].filter((name) => !known.has(name));
}

function findText(name: string, { aliases }: Parameter<unknown>, texts: ParameterTexts): string | undefined {
  const fromPath = texts.path.get(name);
  if (fromPath !== undefined) return fromPath;
  const names = [name, ...aliases].filter((alias) => texts.body.has(alias) || texts.query.has(alias));
  const [first, second] = names;
  if (first !== undefined && second !== undefined) throw new ConfusingArguments(first, second);
  return first === undefined ? undefined : (texts.body.get(first) ?? texts.query.get(first));
}

function readValue(name: string, parameter: Parameter<unknown>, text: string): unknown {
  const parsed = parameter.encoding === 'text' ? text : parseJson(name, text, parameter);
  const result = z.safeParse(parameter.schema, parsed, { reportInput: true });
  if (!result.success) throw new BadRequest(issueText(name, result.error.issues[0] as Issue));
  return result.data;
}

/**
 * Numbers of the protocol are integers as a rule, and `5.0` is not one; after parsing, JavaScript sees no
 * difference.
 */
const INTEGER_SOURCE = /^-?\d+$/;

function parseJson(name: string, text: string, { encoding, fractional }: Parameter<unknown>): unknown {
  try {
    return JSON.parse(text, (key, value: unknown, context?: { source?: string }) => {
      if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('lone surrogate');
      if (typeof value !== 'number' || fractional?.includes(key)) return value;
      return INTEGER_SOURCE.test(context?.source ?? '') ? value : Number.NaN;
    });
  } catch {
    if (encoding === 'jsonOrText') return text;
    throw new BadRequest(`${name} is not valid JSON`);
  }
}

interface Issue {
  code: string;
  path?: PropertyKey[];
  message: string;
  input?: unknown;
  expected?: string;
  format?: string;
  origin?: string;
  maximum?: number | bigint;
  minimum?: number | bigint;
  errors?: Issue[][];
  keys?: string[];
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'an integer',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'a list',
  tuple: 'a list',
  object: 'a dict',
  record: 'a dict',
};

/** The wire text of a failed schema check. */
function issueText(parameterName: string, issue: Issue, outerPath: PropertyKey[] = []): string {
  const path = [...outerPath, ...(issue.path ?? [])];
  const name = parameterName + path.map(pathStep).join('');
  const [first] = issue.code === 'invalid_union' ? (issue.errors?.flat() ?? []) : [];
  if (first) return issueText(parameterName, { input: issue.input, ...first }, path);
  if (path.length > 0 && isMissing(issue)) return `${name} field is missing: Field required`;
  return textsByCode[issue.code]?.(name, issue) ?? `Invalid ${name}`;
}

const isMissing = ({ code, input }: Issue): boolean =>
  input === undefined && (code === 'invalid_type' || code === 'invalid_value');

const textsByCode: Record<string, (name: string, issue: Issue) => string | undefined> = {
  invalid_type: (name, { format, expected = '' }) =>
    `${name} is not ${typeNames[format === 'safeint' ? 'int' : expected] ?? 'valid'}`,
  unrecognized_keys: (name, { keys }) => `Argument "${keys?.[0]}" at ${name} is unexpected`,
  too_big: (name) => `${name} is too large`,
  too_small: (name, { origin }) => (origin === 'string' ? `${name} is too short.` : `${name} is too small`),
  custom: (name, { message }) => (message === 'Invalid input' ? undefined : message.replace('{p}', name)),
};

const pathStep = (step: PropertyKey): string =>
  typeof step === 'number' ? `[${step}]` : `[${JSON.stringify(step)}]`;

/** Checks the length in Unicode code points, with the protocol's error text. */
export const maxLength = (limit: number) =>
  z.refine<string>((value) => [...value].length <= limit, {
    error: `{p} is too long (limit: ${limit} characters)`,
  });

/** Checks for something other than white space. */
export const notBlank = () =>
  z.refine<string>((value) => value.trim() !== '', { error: '{p} cannot be blank' });

/** Rejects null bytes: the table would store them, but other programs cannot. */
export const withoutNullBytes = () =>
  z.refine<string>((value) => !value.includes('\0'), { error: '{p} must not contain null bytes' });

/** Rejects characters that no name may have. Null bytes have an error text of their own. */
export const withoutUnfitCharacters = () =>
  z.refine<string>((value) => !hasUnfitCharacter(value.replaceAll('\0', '')), {
    error: 'Invalid characters in {p}!',
  });
