import * as z from 'zod/mini';

/**
 * Bounded because the channel or group that holds the setting, and its record in events, must fit into one
 * item.
 */
const MAX_NAMED = 1000;

const named = (what: string) =>
  z.refine<number[]>((ids) => ids.length <= MAX_NAMED, {
    error: `{p} names too many ${what} (maximum ${MAX_NAMED}).`,
  });

/** A group-setting value of the reference: the id of a group, or an anonymous group. */
export const groupSetting = z.union([
  z.int(),
  z.object({
    direct_members: z.array(z.int()).check(named('users')),
    direct_subgroups: z.array(z.int()).check(named('groups')),
  }),
]);

/** A new value of a group setting, and the value that the client believes to be current. */
export const groupSettingEdit = z.object({ new: groupSetting, old: z.optional(groupSetting) });
