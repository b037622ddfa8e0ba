import compile from 'icu-minify/compile';

/** The parameters that a message needs, and the forms that it gives. */
export interface Shape {
  /** Parameters, number parameters, and elements: `{name}`, `{count#}`, `<strong>`. */
  parts: string[];
  /** The forms of each plural in the message. */
  plurals: string[][];
}

const [POUND, SELECT, PLURAL, ORDINAL] = [0, 1, 2, 3];

/** Reads a message. @throws Error if it is no ICU message */
export function shapeOf(message: string): Shape {
  const parts = new Set<string>();
  const plurals: string[][] = [];
  /** A node is a text, `0` for the number of the plural, or a list that begins with the name of a parameter or element. */
  const visit = (node: unknown): void => {
    if (!Array.isArray(node)) return;
    const [name, kind, options] = node as [string, unknown, Record<string, unknown> | undefined];
    if (node.length === 1) parts.add(`{${name}}`);
    else if (typeof kind !== 'number' || kind === POUND) {
      parts.add(`<${name}>`);
      node.slice(1).forEach(visit);
    } else {
      parts.add(kind === SELECT ? `{${name}: ${Object.keys(options ?? {}).sort()}}` : `{${name}#}`);
      if (kind === PLURAL) plurals.push(Object.keys(options ?? {}));
      if (kind === SELECT || kind === PLURAL || kind === ORDINAL)
        for (const nodes of Object.values(options ?? {})) if (Array.isArray(nodes)) nodes.forEach(visit);
    }
  };
  const compiled = compile(message);
  if (typeof compiled !== 'string') compiled.forEach(visit);
  return { parts: [...parts].sort(), plurals };
}

const ORDER = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

/** The forms of plurals of a language, as `one` and `other`. */
export const formsOf = (language: string): readonly string[] =>
  ORDER.filter((form) => new Intl.PluralRules(language).resolvedOptions().pluralCategories.includes(form));

/** The faults of a translation, in words; empty if it fits. */
export function faultsOf(language: string, original: string, translated: string): string[] {
  const faults: string[] = [];
  if (translated.trim() === '') faults.push('is empty');
  const [wanted, found] = [shapeOf(original), shapeOf(translated)];
  if (wanted.parts.join() !== found.parts.join())
    faults.push(`has ${found.parts.join(' ') || 'no parts'} in place of ${wanted.parts.join(' ') || 'none'}`);
  for (const forms of found.plurals) {
    const exact = forms.filter((form) => !form.startsWith('='));
    const missing = formsOf(language).filter((form) => !exact.includes(form));
    const foreign = exact.filter((form) => !formsOf(language).includes(form));
    if (missing.length > 0) faults.push(`has no plural for ${missing.join(' ')}`);
    if (foreign.length > 0)
      faults.push(`has a plural for ${foreign.join(' ')}, which the language does not have`);
  }
  return faults;
}
