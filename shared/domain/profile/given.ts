import { BadRequest } from '#shared/domain/errors.ts';
import { type ProfileField, type ProfileFields, profileFieldTypes } from './field.ts';

/** A value as given in a request. */
export type GivenValue = string | number[] | null;

/** A new value of a field; null, an empty text or an empty list deletes it. */
export interface GivenProfileValue {
  id: number;
  value: GivenValue;
}

const MAX_USERS = 500;

/** The users named by values; they must be loaded to validate the values. @throws BadRequest for too many */
export const usersNamedIn = ({ fields }: ProfileFields, input: GivenProfileValue[]): number[] => [
  ...new Set(
    input.flatMap(({ id, value }) =>
      usersNamedBy(
        fields.find((field) => field.id === id),
        value,
      ),
    ),
  ),
];

function usersNamedBy(field: ProfileField | undefined, input: GivenValue): number[] {
  if (field?.type !== profileFieldTypes.users || !Array.isArray(input)) return [];
  if (input.length > MAX_USERS) throw new BadRequest(`${field.name} is too long (limit: ${MAX_USERS} users)`);
  return input;
}
