import type { Settings } from './settings.ts';

/** Whether a distribution is before the API: for a firewall, or for polls that wait longer than the API lets them. */
export const hasEntrance = ({ webAclArn, poller }: Settings): boolean =>
  webAclArn !== undefined || poller === 'web-function';
