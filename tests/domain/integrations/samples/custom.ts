import type { Sample } from '../sample.ts';

const payload = {
  title: '@**all** hot',
  by: { name: 'Ada' },
  alerts: [
    { name: 'one', level: 1 },
    { name: 'two', level: 2 },
  ],
  at: '2026-11-26T10:00:00Z',
  text: 'Much\nsmoke',
};
const of = (name: string, content_template: string, topic_template = '{{title}}'): Sample => ({
  name,
  query: { topic_template, content_template },
  payload,
});

export const samples: Sample[] = [
  { name: 'without templates', payload },
  of('values', '**{{by.name}}**: {{text | line}} at {{at | time}} @{{title}}'),
  of(
    'lists and conditions',
    '{{#alerts}}* {{name}} ({{level}}) of {{by.name}}\n{{/alerts}}{{^missing}}no more{{/missing}}',
  ),
  of('a quote', '{{text | quote}}', 'Alerts'),
  { name: 'a form', query: { content_template: '{{a}}' }, form: { a: 'x' } },
];
