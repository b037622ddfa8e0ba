import type { Delivery, Integration, Note } from '../integration.ts';
import { bold, inline, paragraphs, quote } from '../words.ts';

const KINDS = ['DNS', 'HTTP', 'HTTPS', 'HTTP_CUSTOM', 'IMAP', 'PING', 'POP3', 'PORT_TCP', 'SMTP', 'UDP'];

const check = ({ payload }: Delivery): Note => {
  const name = payload.text('check_name');
  const host = payload.find('check_params.hostname') ?? payload.find('check_params.url');
  const change = `changed its ${inline(payload.text('check_type'))} status from ${inline(payload.find('previous_state') ?? 'unknown')} to ${inline(payload.text('current_state'))}`;
  const reason = payload.find('long_description') ?? payload.find('description');
  return {
    topic: `${name} status.`,
    content: paragraphs(
      `Service ${bold(host ?? name)} ${change}${reason ? ':' : '.'}`,
      reason && quote(reason),
    ),
  };
};

export const pingdom: Integration = {
  slug: 'pingdom',
  displayName: 'Pingdom',
  categories: ['monitoring'],
  setup: 'In Pingdom: **Integrations**, **Add integration**, type **Webhook**.',
  body: 'json',
  eventOf: ({ payload }) => payload.text('check_type'),
  events: Object.fromEntries(KINDS.map((kind) => [kind, check])),
};
