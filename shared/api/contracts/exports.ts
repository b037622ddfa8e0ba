import * as z from 'zod/mini';
import { exportTypes } from '#shared/domain/exports/export.ts';

/** The data export record of the reference. */
export const exportRecord = z.strictObject({
  id: z.int(),
  acting_user_id: z.int(),
  export_time: z.number(),
  deleted_timestamp: z.nullable(z.number()),
  failed_timestamp: z.nullable(z.number()),
  export_url: z.nullable(z.string()),
  pending: z.boolean(),
  export_from_prior_server: z.boolean(),
  export_type: z.enum(exportTypes),
});
