import { awsServices } from '#shared/adapters/aws-services.ts';
import { notifyDevices } from '#shared/push/notify.ts';
import type { NotifierNotice } from '#shared/runtime/services.ts';

/** EventBridge delivers one notice per call. */
export const handler = (event: { detail: NotifierNotice }): Promise<void> =>
  notifyDevices(awsServices(), event.detail.position);
