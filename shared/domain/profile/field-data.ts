import { BadRequest } from '#shared/domain/errors.ts';
import { findExternalAccount } from './external-accounts.ts';
import { type ProfileField, profileFieldTypes } from './field.ts';
import { checkLink } from './link.ts';

/** The data of a field besides its name: choices, or the kind of external account. */
export type GivenFieldData = Record<string, unknown>;

const USERNAME = '%(username)s';

/**
 * The field data to store, which is empty for most types.
 * @throws BadRequest for data that the type cannot have
 */
export function checkFieldData(type: ProfileField['type'], input: GivenFieldData): string {
  if (type === profileFieldTypes.select) return JSON.stringify(checkChoices(input));
  if (type === profileFieldTypes.externalAccount) return JSON.stringify(checkExternalAccount(input));
  return '';
}

function checkChoices(input: GivenFieldData) {
  const choices = Object.entries(input).map(([key, choice]) => {
    if (key.trim() === '') throw new BadRequest("'value' cannot be blank.");
    return [key, checkChoice(choice)] as const;
  });
  if (choices.length === 0) throw new BadRequest('Field must have at least one choice.');
  if (new Set(choices.map(([, { text }]) => text)).size < choices.length)
    throw new BadRequest('Field must not have duplicate choices.');
  return Object.fromEntries(choices);
}

function checkChoice(choice: unknown): { text: string; order: string } {
  const members = requireDict(choice);
  requireOnly(members, ['text', 'order']);
  return { text: requireText(members, 'text'), order: requireText(members, 'order') };
}

function checkExternalAccount(input: GivenFieldData) {
  requireOnly(input, ['subtype', 'url_pattern']);
  const subtype = requireText(input, 'subtype');
  if (subtype !== 'custom' && !findExternalAccount(subtype))
    throw new BadRequest('Invalid external account type');
  if (input.url_pattern === undefined) {
    if (subtype !== 'custom') return { subtype };
    throw new BadRequest('Custom external account must define URL pattern');
  }
  const urlPattern = requireText(input, 'url_pattern');
  if (urlPattern.split(USERNAME).length !== 2)
    throw new BadRequest(`URL pattern must contain '${USERNAME}'.`);
  checkLink('url_pattern', urlPattern.replace(USERNAME, 'username'));
  return { subtype, url_pattern: urlPattern };
}

function requireDict(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadRequest('field_data is not a dict');
  return value as Record<string, unknown>;
}

function requireOnly(members: Record<string, unknown>, known: string[]): void {
  const unknown = Object.keys(members).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new BadRequest(`Argument "${unknown}" at field_data is unexpected`);
}

function requireText(members: Record<string, unknown>, name: string): string {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  if (value === undefined) throw new BadRequest(`${name} key is missing from field_data`);
  if (typeof value !== 'string') throw new BadRequest(`field_data["${name}"] is not a string`);
  if (value.trim() === '') throw new BadRequest(`field_data["${name}"] cannot be blank.`);
  return value;
}

/** The service of an external account field; undefined for a custom pattern. */
export function externalAccountOf({ type, fieldData }: Pick<ProfileField, 'type' | 'fieldData'>) {
  if (type !== profileFieldTypes.externalAccount) return undefined;
  return findExternalAccount((JSON.parse(fieldData) as { subtype: string }).subtype);
}

/** The choices of a choice field. */
export const choicesOf = ({ type, fieldData }: Pick<ProfileField, 'type' | 'fieldData'>): string[] =>
  type === profileFieldTypes.select ? Object.keys(JSON.parse(fieldData) as object) : [];
