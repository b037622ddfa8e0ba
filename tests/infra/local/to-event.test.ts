import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { toEvent } from '#infra/local/gateway/to-event.ts';

test('A request without a body has none in its event, as behind API Gateway', () => {
  const request = new IncomingMessage(new Socket());
  const target = { rawPath: '/', rawQueryString: '' };
  const bodyOf = (bytes: Buffer) =>
    toEvent(request, { target, body: bytes, match: undefined, clientAddress: '192.0.2.1' });
  expect(bodyOf(Buffer.alloc(0))).not.toHaveProperty('body');
  expect(bodyOf(Buffer.alloc(0)).isBase64Encoded).toBe(false);
  expect(bodyOf(Buffer.from('a'))).toMatchObject({ body: 'YQ==', isBase64Encoded: true });
});

test('An event has path parameters only if its route has some, and each cookie separately, as behind API Gateway', () => {
  const request = new IncomingMessage(new Socket());
  request.headersDistinct.cookie = ['a=1; b=2;c=3'];
  const target = { rawPath: '/', rawQueryString: '' };
  const eventOf = (pathParameters: Record<string, string>) =>
    toEvent(request, {
      target,
      body: Buffer.alloc(0),
      match: { route: 'GET /', pathParameters },
      clientAddress: '192.0.2.1',
    });
  expect(eventOf({})).not.toHaveProperty('pathParameters');
  expect(eventOf({ id: '7' })).toMatchObject({ pathParameters: { id: '7' }, cookies: ['a=1', 'b=2', 'c=3'] });
});
