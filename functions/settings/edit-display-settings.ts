import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { editSettings } from './edit-settings.ts';

/** Changes the caller's own settings; for clients of earlier protocol versions. */
export const editDisplaySettings = endpoint({
  ...editSettings,
  route: 'PATCH /settings/display',
  summary: 'Edit own settings (an earlier name)',
});

export const handler = lambda(editDisplaySettings, awsServices);
