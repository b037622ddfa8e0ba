import { BadRequest } from './errors.ts';

const NAME = String.raw`(?:\w|%[\da-fA-F]{2})+(?:\.(?:\w|%[\da-fA-F]{2})+)*`;
const VARIABLE = String.raw`${NAME}(?::[1-9]\d{0,3}|\*)?`;
const EXPRESSION = String.raw`\{[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*\}`;
const TEMPLATE = new RegExp(String.raw`^(?:[^\s\p{Cc}"<>\\^${'`'}{|}]|${EXPRESSION})+$`, 'u');
/** A link to the web or a mail address, whatever the values of its variables. */
const LEADS_OUT = /^(?:https?:\/\/[^\s/\\?#]|mailto:[^\s/\\])/i;
const MAX_LENGTH = 1_000;

/**
 * The variables of a URL template (RFC 6570).
 * @throws BadRequest for a template that is invalid, too long, or does not link to the web or a mail address
 */
export function variablesOf(template: string): Set<string> {
  if ([...template].length > MAX_LENGTH)
    throw new BadRequest(`URL template is too long (limit: ${MAX_LENGTH} characters)`);
  if (!TEMPLATE.test(template) || !LEADS_OUT.test(template)) throw new BadRequest('Invalid URL template.');
  const expressions = template.match(new RegExp(EXPRESSION, 'g')) ?? [];
  return new Set(
    expressions
      .flatMap((expression) =>
        expression
          .slice(1, -1)
          .replace(/^[+#./;?&]/, '')
          .split(','),
      )
      .map(nameOf),
  );
}

const nameOf = (variable: string): string => variable.replace(/(?::\d+|\*)$/, '');
