import { BadRequest } from '#shared/domain/errors.ts';

/** Types of custom profile fields, by protocol number. */
export const profileFieldTypes = {
  shortText: 1,
  longText: 2,
  select: 3,
  date: 4,
  link: 5,
  users: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;
export type ProfileFieldType = (typeof profileFieldTypes)[keyof typeof profileFieldTypes];

/** A custom profile field of the organization. */
export interface ProfileField {
  id: number;
  type: ProfileFieldType;
  name: string;
  hint: string;
  /** JSON text: the choices, or the kind of external account; empty for the other types. */
  fieldData: string;
  displayInProfileSummary: boolean;
  required: boolean;
  editableByUser: boolean;
  useForUserMatching: boolean;
}

/** All fields of the organization in order. */
export interface ProfileFields {
  fields: ProfileField[];
  lastId: number;
  /** Counts changes; a change that depends on the fields is conditional on the revision that it read. */
  revision: number;
}

/** @throws BadRequest `Field id … not found.` */
export function requireField(fields: ProfileField[], id: number): ProfileField {
  const field = fields.find((candidate) => candidate.id === id);
  if (!field) throw new BadRequest(`Field id ${id} not found.`);
  return field;
}

/** The field records of the protocol. */
export const toFieldRecords = (fields: ProfileField[]) =>
  fields.map((field, index) => ({
    id: field.id,
    type: field.type,
    order: index + 1,
    name: field.name,
    hint: field.hint,
    field_data: field.fieldData,
    display_in_profile_summary: field.displayInProfileSummary,
    required: field.required,
    editable_by_user: field.editableByUser,
    use_for_user_matching: field.useForUserMatching,
  }));

/** The field types in the form of register. */
export const describeFieldTypes = () => ({
  SHORT_TEXT: { id: profileFieldTypes.shortText, name: 'Text (short)' },
  LONG_TEXT: { id: profileFieldTypes.longText, name: 'Text (long)' },
  SELECT: { id: profileFieldTypes.select, name: 'List of options' },
  DATE: { id: profileFieldTypes.date, name: 'Date' },
  URL: { id: profileFieldTypes.link, name: 'Link' },
  USER: { id: profileFieldTypes.users, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: profileFieldTypes.externalAccount, name: 'External account' },
  PRONOUNS: { id: profileFieldTypes.pronouns, name: 'Pronouns' },
});
