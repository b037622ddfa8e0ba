/** A user's value of one field. */
export interface ProfileValue {
  value: string;
  /** HTML, for types with Markdown values. */
  renderedValue?: string;
}

/** A user's values by field id. */
export type ProfileData = Record<string, ProfileValue>;

/** The field `profile_data` of user records. */
export const toProfileRecord = (data: ProfileData = {}) =>
  Object.fromEntries(
    Object.entries(data).map(([id, { value, renderedValue }]) => [
      id,
      { value, ...(renderedValue !== undefined && { rendered_value: renderedValue }) },
    ]),
  );
