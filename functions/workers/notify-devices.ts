import { notifyDevices } from '#shared/log/push/notify.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import type { NotifierNotice } from '#shared/runtime/services.ts';

/** EventBridge hands over one notice. */
export const handler = (event: { detail: NotifierNotice }): Promise<void> =>
  notifyDevices(awsServices(), event.detail.position);
