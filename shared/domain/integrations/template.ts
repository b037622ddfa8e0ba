import { BadRequest } from '#shared/domain/errors.ts';
import { Payload } from './payload.ts';
import { code, codeBlock, INVISIBLE, line, neutral, quote, time } from './words.ts';

/** Bounds of one rendering: a template is written by a person, its values by strangers. */
const MAX_TEMPLATE_LENGTH = 5_000;
const MAX_OUTPUT_LENGTH = 20_000;
const MAX_STEPS = 5_000;
const MAX_DEPTH = 8;

type Part =
  | { kind: 'text'; text: string }
  | { kind: 'value'; path: string; filter: string | undefined }
  | { kind: 'section'; path: string; isInverted: boolean; parts: Part[] };

const FILTERS: Record<string, (text: string) => string> = {
  line: (text) => line(text),
  code,
  quote,
  codeblock: (text) => codeBlock(text),
  time: (text) => time(/^\d+(\.\d+)?$/.test(text) ? Number(text) : text),
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
};

/**
 * Fills in a template. `{{a.b}}` is a value of the payload and `{{a.b | quote}}` the same through a filter;
 * `{{#a}}…{{/a}}` repeats its text for the members of a list, or shows it if the value is there, and `{{^a}}…{{/a}}` if
 * it is not; `{{.}}` is the present member, or the whole payload as JSON. Values are made harmless; the template may mention people.
 * @throws BadRequest for a malformed template
 */
export function renderTemplate(template: string, payload: Payload): string {
  if (template.length > MAX_TEMPLATE_LENGTH)
    throw new BadRequest(`The template is too long (limit: ${MAX_TEMPLATE_LENGTH} characters)`);
  return new Rendering().render(parse(template), [payload]);
}

/** @throws BadRequest for a malformed template */
export function checkTemplate(template: string): void {
  renderTemplate(template, new Payload({}));
}

class Rendering {
  #steps = 0;
  #length = 0;

  /** The innermost of the scopes is the last one. */
  render(parts: Part[], scopes: Payload[]): string {
    let text = '';
    for (const part of parts) {
      if (++this.#steps > MAX_STEPS || this.#length > MAX_OUTPUT_LENGTH) return text;
      const more = this.#part(part, scopes);
      if (part.kind !== 'section') this.#length += more.length;
      text += more;
    }
    return text;
  }

  #part(part: Part, scopes: Payload[]): string {
    if (part.kind === 'text') return part.text;
    const value = find(part.path, scopes);
    if (part.kind === 'value') return filtered(textOf(value), part.filter);
    const isThere = isTruthy(value);
    if (part.isInverted) return isThere ? '' : this.render(part.parts, scopes);
    if (!isThere) return '';
    if (!Array.isArray(value.value)) return this.render(part.parts, [...scopes, value]);
    return value
      .list('')
      .map((member) => this.render(part.parts, [...scopes, member]))
      .join('');
  }
}

const TAG = /\{\{([#^/]?)\s*([\w.@$-]+)\s*(?:\|\s*(\w+)\s*)?\}\}/g;

/** A section that is not closed yet; the outermost one is the template itself. */
interface Section {
  path: string;
  parts: Part[];
}

function parse(template: string): Part[] {
  const stack: Section[] = [{ path: '', parts: [] }];
  const top = () => stack.at(-1) as Section;
  let from = 0;
  for (const match of template.matchAll(TAG)) {
    const [all, sign, path = '', filter] = match;
    addText(top().parts, template.slice(from, match.index));
    from = match.index + all.length;
    if (sign === '/') closeSection(stack, path);
    else if (sign === '') top().parts.push(valuePart(path, filter));
    else openSection(stack, path, sign === '^');
  }
  addText(top().parts, template.slice(from));
  if (stack.length > 1) throw new BadRequest(`The template does not close '${top().path}'`);
  return stack[0]?.parts ?? [];
}

function openSection(stack: Section[], path: string, isInverted: boolean): void {
  if (stack.length > MAX_DEPTH) throw new BadRequest('The template is nested too deeply');
  const parts: Part[] = [];
  stack.at(-1)?.parts.push({ kind: 'section', path, isInverted, parts });
  stack.push({ path, parts });
}

function closeSection(stack: Section[], path: string): void {
  const closed = stack.pop();
  if (stack.length === 0 || closed?.path !== path)
    throw new BadRequest(`The template closes '${path}' where it is not open`);
}

function valuePart(path: string, filter: string | undefined): Part {
  if (filter !== undefined && !Object.hasOwn(FILTERS, filter))
    throw new BadRequest(`The template uses the unknown filter '${filter}'`);
  return { kind: 'value', path, filter };
}

function addText(parts: Part[], text: string): void {
  if (text !== '') parts.push({ kind: 'text', text });
}

/** A path begins in the innermost scope that has its first name. */
function find(path: string, scopes: Payload[]): Payload {
  const innermost = scopes.at(-1) as Payload;
  if (path === '.') return innermost;
  const [first = ''] = path.split('.');
  const scope = scopes.findLast((candidate) => candidate.member(first).value !== undefined) ?? innermost;
  return scope.at(path);
}

const isTruthy = ({ value }: Payload): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== false && value !== '';

function textOf(value: Payload): string {
  if (typeof value.value === 'boolean') return String(value.value);
  if (typeof value.value === 'object' && value.value !== null)
    return JSON.stringify(value.value, null, 2).slice(0, MAX_OUTPUT_LENGTH);
  return value.find('') ?? '';
}

const filtered = (text: string, filter: string | undefined): string => {
  const apply = filter === undefined ? undefined : FILTERS[filter];
  return enclosed(neutral(apply ? apply(text) : text));
};

/** A value must not make a mention together with the text of the template beside it. */
const enclosed = (value: string): string => {
  const start = /^_?\*/.test(value) ? INVISIBLE : '';
  const end = /[@#]_?$/.test(value) ? INVISIBLE : '';
  return `${start}${value}${end}`;
};
