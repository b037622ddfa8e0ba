import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type Job, ONE_STEP } from '#shared/domain/jobs.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Write } from '#shared/table/table.ts';
import {
  type ProfileField,
  type ProfileFields,
  profileFieldTypes,
  requireField,
  toFieldRecords,
} from './field.ts';
import { checkFieldData, choicesOf, externalAccountOf, type GivenFieldData } from './field-data.ts';
import type { RemovedValues } from './remove-values.ts';

/** The editable properties of a field. */
export interface GivenField {
  name: string;
  hint: string;
  fieldData: GivenFieldData;
  displayInProfileSummary: boolean;
  required: boolean;
  editableByUser: boolean;
  useForUserMatching: boolean;
}

const MAX_NAME = 40;
const MAX_HINT = 80;
const MAX_IN_SUMMARY = 2;
const MAX_FIELDS = 100;
/** The list of fields is one item and one event, and both are limited to 400 KB. */
const MAX_LIST_LENGTH = 100_000;
const TYPES = new Set<number>(Object.values(profileFieldTypes));
const NOT_FOR_SUMMARY: number[] = [profileFieldTypes.longText, profileFieldTypes.users];
const FOR_MATCHING: number[] = [profileFieldTypes.shortText, profileFieldTypes.externalAccount];

/** Adds a field to the end of the list. @throws BadRequest for an invalid field */
export function createField(
  known: ProfileFields,
  type: number,
  input: GivenField,
): { id: number; change: Change } {
  if (!TYPES.has(type)) throw new BadRequest('Invalid field type.');
  if (known.fields.length >= MAX_FIELDS)
    throw new BadRequest(`There may be at most ${MAX_FIELDS} custom profile fields.`);
  const id = known.lastId + 1;
  const fieldData = checkFieldData(type as ProfileField['type'], input.fieldData);
  const described = { ...input, id, type: type as ProfileField['type'], fieldData };
  const account = externalAccountOf(described);
  const field = account ? { ...described, name: account.name, hint: account.hint } : described;
  checkField(known.fields, field);
  return { id, change: fieldsChange({ ...known, lastId: id }, [...known.fields, field]) };
}

/**
 * Edits a field. Values that are no longer valid choices are deleted.
 * @throws BadRequest for an unknown field or an invalid change
 */
export function editField(known: ProfileFields, id: number, input: Partial<GivenField>): Change | undefined {
  const before = requireField(known.fields, id);
  const { fieldData, ...others } = input;
  const after: ProfileField = {
    ...before,
    ...others,
    fieldData: fieldData === undefined ? before.fieldData : checkFieldData(before.type, fieldData),
  };
  const isOwn = after.name === before.name && after.hint === before.hint && isSameData(after, before);
  if (externalAccountOf(before) && !isOwn) throw new BadRequest('Default custom field cannot be updated.');
  checkField(
    known.fields.filter((field) => field.id !== id),
    after,
  );
  if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
  const choices = choicesOf(before).filter((choice) => !choicesOf(after).includes(choice));
  return fieldsChange(
    known,
    known.fields.map((field) => (field.id === id ? after : field)),
    choices.length > 0 ? [removal({ fieldId: id, choices })] : [],
  );
}

const isSameData = (profileField: ProfileField, other: ProfileField): boolean =>
  profileField.fieldData === other.fieldData;

/** Deletes a field and all its values. @throws BadRequest for an unknown field */
export function deleteField(known: ProfileFields, id: number): Change {
  requireField(known.fields, id);
  return fieldsChange(
    known,
    known.fields.filter((field) => field.id !== id),
    [removal({ fieldId: id })],
  );
}

/** Reorders the fields. @throws BadRequest unless each is named exactly once */
export function reorderFields(known: ProfileFields, order: number[]): Change | undefined {
  const ordered = [...new Set(order)].map((id) => requireField(known.fields, id));
  if (ordered.length !== known.fields.length || order.length !== ordered.length)
    throw new BadRequest('Invalid order mapping.');
  return ordered.every((field, index) => field === known.fields[index])
    ? undefined
    : fieldsChange(known, ordered);
}

function checkField(others: ProfileField[], field: ProfileField): void {
  if (field.name === '') throw new BadRequest('Label cannot be blank.');
  requireLength('name', field.name, MAX_NAME);
  requireLength('hint', field.hint, MAX_HINT);
  const canonical = field.name.normalize('NFKC').toLowerCase();
  if (others.some(({ name }) => name.normalize('NFKC').toLowerCase() === canonical))
    throw new BadRequest('A field with that label already exists.');
  if (field.displayInProfileSummary) checkSummary(others, field);
  if (field.useForUserMatching && !FOR_MATCHING.includes(field.type))
    throw new BadRequest('Field type not supported for user matching.');
}

function checkSummary(others: ProfileField[], field: ProfileField): void {
  if (NOT_FOR_SUMMARY.includes(field.type))
    throw new BadRequest('Field type not supported for display in profile summary.');
  if (others.filter(({ displayInProfileSummary }) => displayInProfileSummary).length >= MAX_IN_SUMMARY)
    throw new BadRequest(
      `Only ${MAX_IN_SUMMARY} custom profile fields can be displayed in the profile summary.`,
    );
}

function requireLength(name: string, text: string, limit: number): void {
  if ([...text].length > limit) throw new BadRequest(`${name} is too long (limit: ${limit} characters)`);
}

const removal = (payload: RemovedValues): Job => ({
  type: 'remove-profile-values',
  payload,
  steps: ONE_STEP,
});

/** A check that the fields have not changed since they were read. */
export const unchangedFields = ({ revision }: ProfileFields): Write => ({
  kind: 'check',
  key: organizationKeys.profileFields(),
  condition: { belowOrAbsent: { revision: revision + 1 } },
});

function fieldsChange({ revision, lastId }: ProfileFields, fields: ProfileField[], jobs: Job[] = []): Change {
  const records = toFieldRecords(fields);
  if (JSON.stringify(records).length > MAX_LIST_LENGTH)
    throw new BadRequest('The custom profile fields are too long');
  return {
    writes: [
      {
        kind: 'put',
        item: { ...organizationKeys.profileFields(), fields, lastId, revision: revision + 1 },
        condition: { belowOrAbsent: { revision: revision + 1 } },
      },
      { kind: 'put', item: { ...organizationKeys.profileFieldsRevision(), revision: revision + 1 } },
    ],
    events: [{ audience: { kind: 'everyone' }, payload: { type: 'custom_profile_fields', fields: records } }],
    jobs,
  };
}
