import type { Sample } from '../sample.ts';

const charge = { id: 'ch_1', amount: 1250, currency: 'usd', customer: 'cus_1' };
const subscription = {
  id: 'sub_1',
  customer: 'cus_1',
  trial_end: 1795687200,
  plan: { nickname: 'Monthly', amount: 500, currency: 'eur', interval: 'month' },
};
const invoice = {
  id: 'in_1',
  customer: 'cus_1',
  currency: 'jpy',
  total: 500,
  amount_due: 500,
  billing_reason: 'manual',
};
const of = (type: string, object: object, previous_attributes?: object): Sample => ({
  name: type,
  event: type,
  payload: { id: 'evt_1', type, data: { object, ...(previous_attributes && { previous_attributes }) } },
});

export const samples: Sample[] = [
  of('charge.succeeded', charge),
  of('charge.failed', { ...charge, failure_message: 'The card was declined.' }),
  of('charge.dispute.created', {
    id: 'dp_1',
    charge: 'ch_1',
    amount: 1250,
    currency: 'usd',
    reason: 'product_unacceptable',
  }),
  of('charge.dispute.closed', { id: 'dp_1', charge: 'ch_1', amount: 1250, currency: 'usd', status: 'won' }),
  of('charge.refund.updated', { id: 're_1', charge: 'ch_1', amount: 1250, currency: 'usd' }),
  of('customer.created', { id: 'cus_1', email: 'ada@example.com', name: 'Ada' }),
  of(
    'customer.updated',
    { id: 'cus_1', delinquent: 'yes', phone: null },
    { delinquent: 'no', phone: '1', updated: 1 },
  ),
  of('customer.deleted', { id: 'cus_1' }),
  of('customer.discount.created', { customer: 'cus_1', coupon: { name: 'Winter', percent_off: 10 } }),
  of('customer.subscription.created', subscription),
  of('customer.subscription.updated', { ...subscription, status: 'past_due' }, { status: 'active' }),
  of('customer.subscription.deleted', subscription),
  of('customer.subscription.trial_will_end', subscription),
  of('invoice.created', invoice),
  of('invoice.updated', { ...invoice, status: 'paid' }, { status: 'open', lines: {} }),
  of('invoice.payment_failed', invoice),
  of('invoiceitem.created', { id: 'ii_1', customer: 'cus_1', amount: 700, currency: 'cad' }),
  {
    name: 'payment_intent.created',
    event: 'silent',
    payload: { type: 'payment_intent.created', data: { object: {} } },
  },
];
