import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { variablesOf } from '#shared/domain/url-template.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { type Linkifier, type Linkifiers, requireLinkifier, toLinkifierRecord } from './linkifier.ts';
import type { Engine } from './load-engine.ts';

/** The editable fields of a linkifier. */
export type GivenLinkifier = Omit<Linkifier, 'id'>;

const MAX_TEXT = 1_000;
/**
 * A limit for all linkifiers together, because every message is searched for all of them (`MAX_STEPS` of the
 * engine). The smallest program has size ten.
 */
const MAX_PROGRAM_SIZE = 1_000;
/** The list is one item and one event, and both are limited to 400 KB. */
const MAX_LIST_LENGTH = 100_000;

/** Adds a linkifier after the others. @throws BadRequest for an invalid one */
export function createLinkifier(
  known: Linkifiers,
  input: GivenLinkifier,
  engine: Engine,
): { id: number; change: Change } {
  const id = known.lastId + 1;
  const linkifiers = [...known.linkifiers, { id, ...input }];
  checkLinkifier(known.linkifiers, input, engine);
  checkSize(linkifiers, engine);
  return { id, change: linkifiersChange({ ...known, lastId: id }, linkifiers) };
}

/** Replaces a linkifier in place. @throws BadRequest for an unknown or invalid one */
export function editLinkifier(
  known: Linkifiers,
  id: number,
  input: Partial<GivenLinkifier>,
  engine: Engine,
): Change {
  const after = { ...requireLinkifier(known.linkifiers, id), ...input };
  checkLinkifier(
    known.linkifiers.filter((linkifier) => linkifier.id !== id),
    after,
    engine,
  );
  const linkifiers = known.linkifiers.map((linkifier) => (linkifier.id === id ? after : linkifier));
  checkSize(linkifiers, engine);
  return linkifiersChange(known, linkifiers);
}

/** @throws BadRequest for an unknown linkifier */
export function deleteLinkifier(known: Linkifiers, id: number): Change {
  requireLinkifier(known.linkifiers, id);
  return linkifiersChange(
    known,
    known.linkifiers.filter((linkifier) => linkifier.id !== id),
  );
}

/** Reorders the linkifiers. @throws BadRequest unless each is named exactly once */
export function reorderLinkifiers(known: Linkifiers, order: number[]): Change {
  const byId = new Map(known.linkifiers.map((linkifier) => [linkifier.id, linkifier]));
  const ordered = [...new Set(order)].flatMap((id) => byId.get(id) ?? []);
  if (ordered.length !== order.length || ordered.length !== byId.size)
    throw new BadRequest('The ordered list must enumerate all existing linkifiers exactly once');
  return linkifiersChange(known, ordered);
}

function checkLinkifier(others: Linkifier[], input: GivenLinkifier, engine: Engine): void {
  requireLength('pattern', input.pattern);
  requireLength('example_input', input.exampleInput);
  requireLength('reverse_template', input.reverseTemplate);
  const pattern = engine.readPattern(input.pattern);
  requireSameNames(new Set(pattern.groups), variablesOf(input.urlTemplate));
  if (others.some((other) => other.pattern === input.pattern))
    throw new BadRequest('A linkifier with this pattern already exists.');
  if (input.exampleInput !== null && !pattern.isFoundIn(input.exampleInput))
    throw new BadRequest('The example input does not match the linkifier pattern.');
  if (input.reverseTemplate !== null) {
    if (input.exampleInput === null)
      throw new BadRequest('An example input is required for a reverse template.');
    requireKnownNames(namesIn(input.reverseTemplate), pattern.groups);
  }
  for (const template of input.alternativeUrlTemplates)
    requireKnownNames([...variablesOf(template)], pattern.groups);
}

function requireSameNames(groups: Set<string>, variables: Set<string>): void {
  requireKnownNames([...variables], [...groups]);
  const [unused] = [...groups.difference(variables)].sort();
  if (unused !== undefined)
    throw new BadRequest(`Group '${unused}' in linkifier pattern is not present in URL template.`);
}

function requireKnownNames(variables: string[], groups: string[]): void {
  const [unknown] = variables.filter((name) => !groups.includes(name)).sort();
  if (unknown !== undefined)
    throw new BadRequest(`Group '${unknown}' in URL template is not present in linkifier pattern.`);
}

/** The names in braces of a simple template; doubled braces are literal. */
function namesIn(template: string): string[] {
  const rest = template.replaceAll(/\{\{|\}\}/g, '');
  if (/[{}]/.test(rest.replaceAll(/\{\w+\}/g, ''))) throw new BadRequest('Invalid reverse template.');
  return [...rest.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function requireLength(name: string, text: string | null): void {
  if ([...(text ?? '')].length > MAX_TEXT)
    throw new BadRequest(`${name} is too long (limit: ${MAX_TEXT} characters)`);
}

function checkSize(linkifiers: Linkifier[], engine: Engine): void {
  const size = linkifiers.reduce((sum, { pattern }) => sum + engine.readPattern(pattern).size, 0);
  if (size > MAX_PROGRAM_SIZE) throw new BadRequest('The linkifier patterns are too complex together.');
}

function linkifiersChange({ revision, lastId }: Linkifiers, linkifiers: Linkifier[]): Change {
  const records = linkifiers.map(toLinkifierRecord);
  if (JSON.stringify(records).length > MAX_LIST_LENGTH)
    throw new BadRequest('The linkifiers are too long together.');
  return {
    writes: [
      {
        kind: 'put',
        item: { ...organizationKeys.linkifiers(), linkifiers, lastId, revision: revision + 1 },
        condition: { belowOrAbsent: { revision: revision + 1 } },
      },
      { kind: 'put', item: { ...organizationKeys.linkifiersRevision(), revision: revision + 1 } },
    ],
    events: [
      { audience: { kind: 'everyone' }, payload: { type: 'realm_linkifiers', realm_linkifiers: records } },
    ],
  };
}
