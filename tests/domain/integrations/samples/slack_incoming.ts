import type { Sample } from '../sample.ts';

const of = (name: string, payload: object, channel = '#alerts'): Sample => ({
  name,
  payload: { channel, ...payload },
});
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });

export const samples: Sample[] = [
  of('text', {
    text: 'It is *very* _hot_ and ~cold~ at <https://x.example|the boiler>, <!channel> <@U1>',
    icon_emoji: ':fire:',
  }),
  { name: 'form', form: { payload: JSON.stringify({ text: 'a &lt; b `*code*`' }) } },
  of('nothing', { text: '' }),
  of('blocks', {
    text: 'A summary that is not in the blocks',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Too hot' } },
      { type: 'divider' },
      {
        type: 'section',
        text: mrkdwn('*Boiler* at 101'),
        accessory: { type: 'image', image_url: 'https://x.example/1.png', alt_text: 'chart' },
      },
      { type: 'section', fields: [mrkdwn('*Level*'), mrkdwn('high|low'), mrkdwn('odd')] },
      { type: 'section', fields: [mrkdwn('single')] },
      {
        type: 'context',
        elements: [
          mrkdwn('by Ada'),
          { type: 'image', image_url: 'https://x.example/2.png', alt_text: 'Ada' },
        ],
      },
      { type: 'image', image_url: 'https://x.example/3.png', title: { type: 'plain_text', text: 'wheel' } },
      { type: 'actions', elements: [] },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'See ' },
              { type: 'link', url: 'https://x.example', text: 'this' },
              { type: 'emoji', name: 'fire' },
            ],
          },
        ],
      },
      { type: 'section', text: null },
    ],
  }),
  of('blocks that have the text', {
    text: 'Too hot',
    blocks: [{ type: 'section', text: mrkdwn('*Too hot*: 101') }],
  }),
  of('attachments', {
    attachments: [
      {
        title: 'Too hot',
        title_link: 'https://x.example',
        pretext: 'Look',
        text: 'At 101',
        fields: [{ title: 'Level', value: 'high', short: true }],
        image_url: 'https://x.example/1.png',
        footer: 'Grafana',
        ts: 1795687200,
        blocks: null,
      },
    ],
  }),
];
