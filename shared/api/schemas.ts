import * as z from 'zod/mini';

/** Parts of results that several endpoints share. */
export const versions = {
  service_version: z.string(),
  service_feature_level: z.number(),
  service_merge_base: z.string(),
  zulip_version: z.string(),
  zulip_feature_level: z.number(),
  zulip_merge_base: z.string(),
};

/** The result of an operation that returns nothing but success. */
export const nothing = z.strictObject({});
