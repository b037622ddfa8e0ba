import * as z from 'zod/mini';

/** A group-setting value of the reference: the id of a group, or an anonymous group. */
export const groupSetting = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);
