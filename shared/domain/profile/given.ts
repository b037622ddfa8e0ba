import { BadRequest } from '#shared/domain/errors.ts';
import { type ProfileField, type ProfileFields, profileFieldTypes } from './field.ts';

/** What a request gives as a value. */
export type GivenValue = string | number[] | null;

/** A request to say something in a field; nothing (null, an empty text or list) takes it away. */
export interface GivenProfileValue {
  id: number;
  value: GivenValue;
}

const MAX_USERS = 500;

/** The users whom given values name; they have to be known to judge the values. @throws BadRequest for too many */
export const usersNamedIn = ({ fields }: ProfileFields, given: GivenProfileValue[]): number[] => [
  ...new Set(
    given.flatMap(({ id, value }) =>
      usersNamedBy(
        fields.find((field) => field.id === id),
        value,
      ),
    ),
  ),
];

function usersNamedBy(field: ProfileField | undefined, given: GivenValue): number[] {
  if (field?.type !== profileFieldTypes.users || !Array.isArray(given)) return [];
  if (given.length > MAX_USERS) throw new BadRequest(`${field.name} is too long (limit: ${MAX_USERS} users)`);
  return given;
}
