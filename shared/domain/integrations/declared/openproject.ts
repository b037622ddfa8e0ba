import type { Delivery, Integration, Note } from '../integration.ts';
import { inline, sentence } from '../words.ts';

const DID: Record<string, string> = { created: 'created', updated: 'updated' };

const did = ({ payload }: Delivery): string => {
  const action = payload.text('action').split(':')[1] ?? '';
  return Object.hasOwn(DID, action) ? (DID[action] ?? action) : inline(action);
};

const nameAt = ({ payload }: Delivery, path: string): string =>
  inline(payload.find(`${path}.name`) ?? payload.find(`${path}.title`) ?? 'Someone');

const project = (delivery: Delivery): Note => {
  const project = delivery.payload.at('project');
  const name = project.text('name');
  const parent = project.find('_embedded.parent.name');
  return {
    topic: name,
    content: sentence(
      `Project **${inline(name)}** was ${did(delivery)}${parent ? ` in the project **${inline(parent)}**` : ''}`,
    ),
  };
};

const workPackage = (delivery: Delivery): Note => {
  const workPackage = delivery.payload.at('work_package');
  const subject = workPackage.text('subject');
  const kind = workPackage.find('_embedded.type.name') ?? workPackage.find('type') ?? 'Work package';
  const who = nameAt(delivery, 'work_package._embedded.author');
  return {
    topic: workPackage.find('_embedded.project.name') ?? subject,
    content: sentence(
      `**${inline(subject)}** (work package ${inline(kind)}) was ${did(delivery)} by **${who}**`,
    ),
  };
};

const timeEntry = (delivery: Delivery): Note => {
  const entry = delivery.payload.at('time_entry');
  const hours = (entry.find('hours') ?? 'PT0H').replace(/^PT/, '').toLowerCase();
  const subject = entry.find('_embedded.workPackage.subject');
  return {
    topic: entry.find('_embedded.project.name') ?? 'Time entries',
    content: sentence(
      `**${nameAt(delivery, 'time_entry._embedded.user')}** ${did(delivery) === 'updated' ? 'updated' : 'logged'} **${inline(hours)}**${subject ? ` on **${inline(subject)}**` : ''}`,
    ),
  };
};

const attachment = (delivery: Delivery): Note => {
  const attachment = delivery.payload.at('attachment');
  const file = attachment.oneOf('fileName', 'title');
  const place =
    attachment.find('_embedded.container.subject') ?? attachment.find('_embedded.container.title');
  return {
    topic: attachment.find('_embedded.container._links.project.title') ?? place ?? 'Attachments',
    content: sentence(
      `**${nameAt(delivery, 'attachment._embedded.author')}** uploaded **${inline(file)}**${place ? ` in **${inline(place)}**` : ''}`,
    ),
  };
};

export const openproject: Integration = {
  slug: 'openproject',
  displayName: 'OpenProject',
  clientName: 'OpenProject',
  categories: ['project-management'],
  setup: 'In OpenProject: **Administration**, **API and webhooks**, **Webhooks**.',
  body: 'json',
  signature: { header: 'x-op-signature', scheme: 'hex', prefix: 'sha256=' },
  eventOf: ({ payload }) => payload.text('action'),
  events: {
    'project:created': project,
    'project:updated': project,
    'work_package:created': workPackage,
    'work_package:updated': workPackage,
    'time_entry:created': timeEntry,
    'time_entry:updated': timeEntry,
    'attachment:created': attachment,
  },
};
