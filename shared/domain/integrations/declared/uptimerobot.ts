import { BadRequest } from '#shared/domain/errors.ts';
import type { Delivery, Integration, Note } from '../integration.ts';
import { inline, link, sentence } from '../words.ts';

const REQUIRED = ['monitor_friendly_name', 'monitor_url', 'alert_details'];

/** @throws BadRequest if the owner did not include the fields of the text */
function monitorNote(describe: (monitor: string, delivery: Delivery) => string) {
  return (delivery: Delivery): Note => {
    const { payload } = delivery;
    if (REQUIRED.some((name) => !payload.has(name))) throw new BadRequest('Invalid payload');
    const name = payload.text('monitor_friendly_name');
    const monitor = link(name, payload.find('monitor_url'));
    return {
      topic: name,
      content: sentence(`${describe(monitor, delivery)} (${inline(payload.text('alert_details'))})`),
    };
  };
}

export const uptimerobot: Integration = {
  slug: 'uptimerobot',
  displayName: 'UptimeRobot',
  clientName: 'UptimeRobot',
  categories: ['monitoring'],
  setup:
    'In UptimeRobot: **Integrations**, **Webhook**; send the default variables as JSON, for up and down events.',
  body: 'formOrJson',
  eventOf: ({ payload }) => {
    if (!payload.has('alert_type_friendly_name')) throw new BadRequest('Invalid payload');
    return payload.text('alert_type_friendly_name').toLowerCase();
  },
  events: {
    up: monitorNote((monitor, { payload }) => {
      const duration = payload.find('alert_friendly_duration');
      return `${monitor} is back UP${duration ? ` after ${inline(duration)} of downtime` : ''}`;
    }),
    down: monitorNote((monitor) => `${monitor} is DOWN`),
  },
};
