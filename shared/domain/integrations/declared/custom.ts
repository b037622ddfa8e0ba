import type { Delivery, Integration } from '../integration.ts';
import { renderTemplate } from '../template.ts';
import { codeBlock, neutral } from '../words.ts';

const DEFAULT_TOPIC = 'Webhook';

/** Any program that posts JSON or a form, in the words of the bot's owner. */
export const custom: Integration = {
  slug: 'custom',
  displayName: 'Custom webhook',
  clientName: 'Custom',
  categories: ['meta-integration'],
  setup:
    'Let any program post JSON or a form to the address. Two templates over its fields produce topic and text: `{{a.b}}` inserts a value, `{{a.b | quote}}` a value through a filter (`line`, `code`, `codeblock`, `quote`, `time`, `upper`, `lower`), `{{#list}}…{{/list}}` repeats, `{{^a}}…{{/a}}` replaces what is missing.',
  body: 'formOrJson',
  options: {
    topic_template: { kind: 'text', label: 'Template of the topic' },
    content_template: { kind: 'text', label: 'Template of the text' },
  },
  configuration: { topic_template: 'Template of the topic', content_template: 'Template of the text' },
  hasOwnMentions: true,
  says: (delivery) => ({
    topic: filled(delivery, 'topic_template') ?? DEFAULT_TOPIC,
    content:
      filled(delivery, 'content_template') ??
      neutral(codeBlock(JSON.stringify(delivery.payload.value, null, 2), 'json')),
  }),
};

function filled(delivery: Delivery, name: string): string | undefined {
  const template = delivery.option(name);
  return template === undefined || template === '' ? undefined : renderTemplate(template, delivery.payload);
}
