import * as z from 'zod/mini';
import { json, optional, text, withoutUnfitCharacters } from '#shared/api/parameters.ts';
import type { GivenField } from '#shared/domain/profile/edit-fields.ts';

/** Parameters of a custom profile field, for creation and edits. */
export const profileFieldParameters = {
  name: optional(text(z.string().check(z.trim(), withoutUnfitCharacters()), 'Its label')),
  hint: optional(text(z.string(), 'A help text for users who edit it')),
  field_data: optional(
    json(z.record(z.string(), z.unknown()), 'The choices, or the kind of external account, by the type'),
  ),
  display_in_profile_summary: optional(json(z.boolean(), 'Shown in the summary of a profile')),
  required: optional(json(z.boolean(), 'Whether clients prompt people to fill it in')),
  editable_by_user: optional(json(z.boolean(), 'People may fill it in themselves')),
  use_for_user_matching: optional(json(z.boolean(), 'Clients find people by it')),
};

type Given = {
  [Name in keyof typeof profileFieldParameters]:
    | NonNullable<(typeof profileFieldParameters)[Name]['fallback']>
    | undefined;
};

/** The given parameters only. */
export function givenField(params: Given): Partial<GivenField> {
  const all = {
    name: params.name,
    hint: params.hint,
    fieldData: params.field_data,
    displayInProfileSummary: params.display_in_profile_summary,
    required: params.required,
    editableByUser: params.editable_by_user,
    useForUserMatching: params.use_for_user_matching,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export const profileFieldRecord = z.object({
  id: z.int(),
  type: z.int(),
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z.string(),
  display_in_profile_summary: z.boolean(),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  use_for_user_matching: z.boolean(),
});

/** Values of profile fields; null, an empty text and an empty list delete the value. */
export const profileData = z.array(
  z.object({ id: z.int(), value: z.union([z.string(), z.array(z.int()), z.null()]) }),
);
