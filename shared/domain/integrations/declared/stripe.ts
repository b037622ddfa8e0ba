import type { Delivery, Integration, Note, Said } from '../integration.ts';
import type { Payload } from '../payload.ts';
import {
  bullets,
  capitalized,
  code,
  inline,
  link,
  money,
  paragraphs,
  sentence,
  time,
  words,
} from '../words.ts';

/** Pages of the dashboard, by the beginning of an id. */
const PAGES: Record<string, string> = {
  ch: 'payments',
  py: 'payments',
  pi: 'payments',
  re: 'refunds',
  cus: 'customers',
  dp: 'disputes',
  du: 'disputes',
  in: 'invoices',
  ii: 'invoiceitems',
  sub: 'subscriptions',
  po: 'payouts',
  prod: 'products',
};

/** Attributes that change with every update. */
const NOISE = [
  'updated',
  'lines',
  'metadata',
  'payment_method_details',
  'statement_descriptor',
  'items',
  'default_source',
];

const object = ({ payload }: Delivery): Payload => payload.at('data.object');

function idLink(id: string, text = id): string {
  const prefix = id.split('_')[0] ?? '';
  return Object.hasOwn(PAGES, prefix)
    ? link(text, `https://dashboard.stripe.com/${PAGES[prefix]}/${id}`)
    : inline(text);
}

const DEFAULT_TOPICS: [start: string, topic: string][] = [
  ['charge.dispute', 'disputes'],
  ['charge.refund', 'refunds'],
  ['charge', 'charges'],
  ['file', 'files'],
  ['account', 'account updates'],
];

function topicOf(delivery: Delivery): string {
  const type = delivery.payload.text('type');
  const payload = object(delivery);
  if (/^customer\.(created|updated|deleted)$/.test(type)) return payload.text('id');
  return (
    payload.find('customer') ?? DEFAULT_TOPICS.find(([start]) => type.startsWith(start))?.[1] ?? 'stripe'
  );
}

const said =
  (describe: (payload: Payload, delivery: Delivery) => string) =>
  (delivery: Delivery): Note => ({
    topic: topicOf(delivery),
    content: describe(object(delivery), delivery),
  });

const amount = (payload: Payload, field: string): string =>
  money(payload.number(field), payload.find('currency') ?? 'usd');

/** The changed attributes, without the ones that always change. */
function changes({ payload }: Delivery): string {
  const names = Object.keys(Object(payload.at('data.previous_attributes').value));
  const shown = names.filter((name) => !NOISE.includes(name)).slice(0, 20);
  return bullets(
    shown.map((name) => {
      const value = payload.find(`data.object.${name}`);
      return `${capitalized(inline(name.replaceAll('_', ' ')))} is now ${value === undefined ? '(none)' : inline(value)}`;
    }),
  );
}

const updated =
  (kind: string) =>
  (delivery: Delivery): Said => {
    const list = changes(delivery);
    if (list === '') return undefined;
    return {
      topic: topicOf(delivery),
      content: paragraphs(`${kind} ${idLink(object(delivery).text('id'))} updated`, list),
    };
  };

const charge = (did: string) =>
  said((payload) => {
    const failure = payload.find('failure_message');
    return sentence(
      words(idLink(payload.text('id'), 'Charge'), `for ${amount(payload, 'amount')} ${did}`),
      failure,
    );
  });

const dispute = (describe: (payload: Payload) => string) =>
  said((payload) =>
    sentence(
      `${idLink(payload.text('id'), 'Dispute')} ${describe(payload)} for charge ${idLink(payload.text('charge'))} of ${amount(payload, 'amount')}`,
    ),
  );

const subscription = (describe: (payload: Payload) => string) =>
  said((payload) => sentence(`${idLink(payload.text('id'), 'Subscription')} ${describe(payload)}`));

const planOf = (payload: Payload): string => {
  const plan = payload.at('plan');
  const name = plan.find('nickname') ?? plan.find('id');
  const price = plan.has('amount')
    ? ` (${money(plan.findNumber('amount') ?? 0, plan.find('currency') ?? 'usd')} a ${plan.find('interval') ?? 'period'})`
    : '';
  return name === undefined ? '' : `to plan ${inline(name)}${price}`;
};

export const stripe: Integration = {
  slug: 'stripe',
  displayName: 'Stripe',
  categories: ['financial'],
  setup: 'In the dashboard: **Developers**, **Webhooks**, **Add endpoint**.',
  body: 'json',
  signature: { header: 'stripe-signature', scheme: 'stripe' },
  eventOf: ({ payload }) => {
    const type = payload.text('type');
    return silent.some((start) => type === start || type.startsWith(`${start}.`)) ? 'silent' : type;
  },
  // The events of Stripe carry their own ids.
  deliveryIds: ['idempotency-key'],
  events: {
    'charge.succeeded': charge('succeeded'),
    'charge.failed': charge('failed'),
    'charge.dispute.created': dispute(
      (payload) => `created (${inline((payload.find('reason') ?? 'no reason').replaceAll('_', ' '))})`,
    ),
    'charge.dispute.closed': dispute(
      (payload) => `closed (${inline((payload.find('status') ?? 'closed').replaceAll('_', ' '))})`,
    ),
    'charge.refund.updated': said((payload) =>
      sentence(
        `A ${idLink(payload.text('id'), 'refund')} of charge ${idLink(payload.text('charge'))} of ${amount(payload, 'amount')} was updated`,
      ),
    ),
    'customer.created': said((payload) =>
      paragraphs(
        `${idLink(payload.text('id'), 'Customer')} created`,
        [
          payload.find('email') && `Email: ${code(payload.find('email') ?? '')}`,
          payload.find('name') && `Name: ${inline(payload.find('name') ?? '')}`,
        ]
          .filter(Boolean)
          .join('\n'),
      ),
    ),
    'customer.updated': updated('Customer'),
    'customer.deleted': said((payload) => sentence(`${inline(`Customer ${payload.text('id')}`)} deleted`)),
    'customer.discount.created': said((payload) => {
      const percent = payload.findNumber('coupon.percent_off');
      const off =
        percent === undefined
          ? money(payload.findNumber('coupon.amount_off') ?? 0, payload.find('coupon.currency') ?? 'usd')
          : `${percent} %`;
      return sentence(
        `Discount created: ${inline(payload.find('coupon.name') ?? payload.find('coupon.id') ?? 'a coupon')}, ${off} off`,
      );
    }),
    'customer.subscription.created': subscription((payload) => words('created', planOf(payload))),
    'customer.subscription.updated': updated('Subscription'),
    'customer.subscription.deleted': subscription(() => 'deleted'),
    'customer.subscription.trial_will_end': subscription(
      (payload) => `trial will end at ${time(payload.findNumber('trial_end') ?? 0)}`,
    ),
    'invoice.created': said((payload) =>
      sentence(
        `${idLink(payload.text('id'), 'Invoice')} created (${inline(payload.find('billing_reason')?.replaceAll('_', ' ') ?? 'no reason')}), total ${amount(payload, 'total')}, due ${amount(payload, 'amount_due')}`,
      ),
    ),
    'invoice.updated': updated('Invoice'),
    'invoice.payment_failed': said((payload) =>
      sentence(
        `${idLink(payload.text('id'), 'Invoice')} payment failed, due ${amount(payload, 'amount_due')}`,
      ),
    ),
    'invoiceitem.created': said((payload) =>
      sentence(`${idLink(payload.text('id'), 'Invoice item')} created for ${amount(payload, 'amount')}`),
    ),
  },
  ignored: ['silent'],
};

/** Events of no interest to people; the part before a dot means all of its kind. */
const silent = [
  'payment_intent',
  'payment_method',
  'payout',
  'plan',
  'price',
  'product',
  'transfer',
  'topup',
  'issuing_authorization',
  'issuing_card',
  'issuing_cardholder',
  'issuing_dispute',
  'issuing_transaction',
  'order',
  'order_return',
  'balance',
  'coupon',
  'checkout',
  'setup_intent',
  'sku',
  'source',
  'reporting',
];
