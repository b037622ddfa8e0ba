import type { Delivery, Integration, Note } from '../integration.ts';
import { bold, bullets, capitalized, inline, link, sentence } from '../words.ts';

const topicOf = ({ payload }: Delivery, name: string): string =>
  `${name}: ${payload.text('page.status_description')}`;

const incident = (delivery: Delivery): Note => {
  const incident = delivery.payload.at('incident');
  const name = incident.text('name');
  const [update] = incident.list('incident_updates');
  const components = incident.list('components').flatMap((component) => component.find('name') ?? []);
  const facts = [
    `State: **${inline(incident.text('status'))}**`,
    update?.has('body') && `Description: ${inline(update.find('body') ?? '')}`,
    components.length > 0 && `Components: ${components.map(inline).join(', ')}`,
  ].filter((fact) => typeof fact === 'string');
  const head = link(name, incident.find('shortlink'));
  return { topic: topicOf(delivery, name), content: `**${head}**\n${bullets(facts)}` };
};

const component = (delivery: Delivery): Note => {
  const { payload } = delivery;
  const name = payload.text('component.name');
  const [before, after] = [
    payload.text('component_update.old_status'),
    payload.text('component_update.new_status'),
  ];
  return {
    topic: topicOf(delivery, name),
    content: sentence(
      `${bold(name)} has changed its status from ${bold(capitalized(before.replaceAll('_', ' ')))} to ${bold(capitalized(after.replaceAll('_', ' ')))}`,
    ),
  };
};

export const statuspage: Integration = {
  slug: 'statuspage',
  displayName: 'Statuspage',
  categories: ['customer-support', 'monitoring'],
  setup: 'On the page: **Subscribe to updates**, the tab of webhooks.',
  body: 'json',
  eventOf: ({ payload }) =>
    payload.has('incident') ? 'incident' : payload.has('component') ? 'component' : undefined,
  events: { incident, component },
};
