import { expect, test } from 'vitest';
import { createBigBlueButtonCall } from '#functions/calls/create-big-blue-button-call.ts';
import { getBigBlueButtonCall } from '#functions/calls/get-big-blue-button-call.ts';

test('The earlier GET method runs the same operation, whose tests call both', () => {
  const { route, summary, ...same } = getBigBlueButtonCall;
  expect(createBigBlueButtonCall).toMatchObject(same);
  expect(route).toBe('GET /calls/bigbluebutton/create');
});
