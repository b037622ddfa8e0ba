import * as z from 'zod';

export const id = z.int().nonnegative();
export const seconds = z.int();
export const groupValue = z.union([
  id,
  z.strictObject({ direct_members: z.array(id), direct_subgroups: z.array(id) }),
]);

/** Fields of one type, by their names in a text. */
const each =
  <Field extends z.ZodType>(field: Field) =>
  (names: string): Record<string, Field> =>
    Object.fromEntries(
      names
        .trim()
        .split(/\s+/)
        .map((name) => [name, field]),
    );
export const onlyBooleans = each(z.boolean());
export const onlyTexts = each(z.string());
export const onlyNumbers = each(z.int());
export const numbersOrNull = each(z.int().nullable());
export const groupValues = each(groupValue);
