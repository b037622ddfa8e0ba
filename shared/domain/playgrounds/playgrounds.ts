import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { variablesOf } from '#shared/domain/url-template.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** A site to which clients send code of a language to run it. */
export interface Playground {
  id: number;
  name: string;
  language: string;
  /** An RFC 6570 template whose one variable is `code`. */
  urlTemplate: string;
}

export interface Playgrounds {
  playgrounds: Playground[];
  lastId: number;
  revision: number;
}

const MAX_PLAYGROUNDS = 100;
const LANGUAGE = /^[\w+\-./# ]*$/;
/** The list is one item and one event, and both are limited to 400 KB. */
const MAX_LIST_LENGTH = 100_000;

export const toPlaygroundRecord = ({ id, name, language, urlTemplate }: Playground) => ({
  id,
  name,
  pygments_language: language,
  url_template: urlTemplate,
});

/** Adds a playground to the end of the list. @throws BadRequest for an invalid one */
export function createPlayground(
  known: Playgrounds,
  input: Omit<Playground, 'id'>,
): { id: number; change: Change } {
  const { name, language, urlTemplate } = input;
  if (!LANGUAGE.test(language)) throw new BadRequest('Invalid characters in pygments language');
  const variables = variablesOf(urlTemplate);
  if (!variables.has('code'))
    throw new BadRequest('Missing the required variable "code" in the URL template');
  if (variables.size > 1)
    throw new BadRequest('"code" should be the only variable present in the URL template');
  if (known.playgrounds.some((playground) => playground.name === name && playground.language === language))
    throw new BadRequest('A playground of this language and name already exists.');
  if (known.playgrounds.length >= MAX_PLAYGROUNDS)
    throw new BadRequest(`There may be at most ${MAX_PLAYGROUNDS} code playgrounds.`);
  const id = known.lastId + 1;
  const change = playgroundsChange({ ...known, lastId: id }, [...known.playgrounds, { id, ...input }]);
  return { id, change };
}

/** @throws BadRequest for an unknown id */
export function deletePlayground(known: Playgrounds, id: number): Change {
  const rest = known.playgrounds.filter((playground) => playground.id !== id);
  if (rest.length === known.playgrounds.length) throw new BadRequest('Invalid playground');
  return playgroundsChange(known, rest);
}

function playgroundsChange({ revision, lastId }: Playgrounds, playgrounds: Playground[]): Change {
  const records = playgrounds.map(toPlaygroundRecord);
  if (JSON.stringify(records).length > MAX_LIST_LENGTH)
    throw new BadRequest('The code playgrounds are too long together.');
  return {
    writes: [
      {
        kind: 'put',
        item: { ...organizationKeys.playgrounds(), playgrounds, lastId, revision: revision + 1 },
        condition: { belowOrAbsent: { revision: revision + 1 } },
      },
    ],
    events: [
      { audience: { kind: 'everyone' }, payload: { type: 'realm_playgrounds', realm_playgrounds: records } },
    ],
  };
}
