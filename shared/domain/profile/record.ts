/** What a user says in one field. */
export interface ProfileValue {
  value: string;
  /** HTML, for the types whose value is Markdown. */
  renderedValue?: string;
}

/** What a user says in each field, by the field's id. */
export type ProfileData = Record<string, ProfileValue>;

/** The member `profile_data` of user records. */
export const toProfileRecord = (data: ProfileData = {}) =>
  Object.fromEntries(
    Object.entries(data).map(([id, { value, renderedValue }]) => [
      id,
      { value, ...(renderedValue !== undefined && { rendered_value: renderedValue }) },
    ]),
  );
