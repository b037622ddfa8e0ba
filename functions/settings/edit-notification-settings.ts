import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { editSettings } from './edit-settings.ts';

/** Changes the caller's own settings, as clients of earlier versions of the protocol ask for it. */
export const editNotificationSettings = endpoint({
  ...editSettings,
  route: 'PATCH /settings/notifications',
  summary: 'Edit own settings (an earlier name)',
});

export const handler = lambda(editNotificationSettings, awsServices);
