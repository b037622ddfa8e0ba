import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { findPostTarget, gatewayRouteOf, pathOf } from '#shared/api/route.ts';
import { subscriptionOf } from '#tests/api/channels/channel-records.ts';
import { send } from '#tests/harness/anonymous.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const FORM = 'application/x-www-form-urlencoded';
const post = (path: string, form: Record<string, string>, type = FORM) => {
  const headers = { authorization: service.owner.authorization, 'content-type': type };
  return send(service.url, path, { method: 'POST', headers, body: new URLSearchParams(form).toString() });
};

describe('The parameter method of a POST', () => {
  test('Selects that method, in any letter case', async () => {
    for (const method of ['PATCH', 'patch']) {
      const name = `Renamed by ${method}`;
      expect((await post('/realm', { method, name })).body.result).toBe('success');
      const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
      expect(snapshot.realm_name).toBe(name);
    }
  });

  test('Selects DELETE if the path has no other method', async () => {
    const { queueId } = await service.owner.register();
    expect((await post('/events', { method: 'DELETE', queue_id: queueId })).status).toBe(200);
    const gone = await service.owner.get('/events', { queue_id: queueId, last_event_id: -1 });
    expect(gone.body.code).toBe('BAD_EVENT_QUEUE_ID');
  });

  test('Answers an error if the path has another endpoint for POST', async () => {
    const channelId = await service.owner.subscribe('kept');
    const form = { method: 'DELETE', subscriptions: '[{"name":"never"}]' };
    const { status, body } = await post('/users/me/subscriptions', form);
    expect([status, body.allowed_methods]).toEqual([405, ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST']]);
    expect((await post(`/streams/${channelId}`, { method: 'DELETE' })).status).toBe(405);
    expect(await subscriptionOf(service.owner, 'kept')).toBeDefined();
    expect(await subscriptionOf(service.owner, 'never')).toBeUndefined();
  });

  const methods = ['GET', 'PUT', 'TRACE', 'nonsense', '', 'PATCH,POST'];
  test.each(methods)('Answers an error for %j if the path has no such method', async (method) => {
    for (const path of ['/realm', '/register'])
      expect((await post(path, { method, name: 'No' })).status).toBe(405);
  });

  test('Works only in a form: other bodies and the query are ignored', async () => {
    expect((await post('/realm', { method: 'PATCH', name: 'No' }, 'text/plain')).status).toBe(405);
    expect((await post('/realm?method=PATCH', { name: 'No' })).status).toBe(405);
  });

  test('Requires the credentials of the selected method', async () => {
    const body = new URLSearchParams({ method: 'PATCH', name: 'No' });
    expect((await send(service.url, '/realm', { method: 'POST', body })).status).toBe(401);
  });

  test('Works for every PATCH, except for a path that has a POST of its own', () => {
    const all = Object.values(endpoints);
    const unreachable = [...Map.groupBy(all, pathOf)].flatMap(([path, ofPath]) => {
      const isPatched = ofPath.some(({ route }) => route.startsWith('PATCH '));
      return isPatched && !findPostTarget(ofPath.map(gatewayRouteOf))?.startsWith('PATCH ') ? [path] : [];
    });
    expect(unreachable.sort()).toEqual(['/api/v1/realm/profile_fields']);
  });
});
