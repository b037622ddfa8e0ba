import { expect, test } from 'vitest';
import { createRouter } from '#shared/api/route.ts';

const findRoute = createRouter([
  'GET /users/{user_id}',
  'GET /users/me',
  'GET /users/me/topics',
  'PATCH /users/me',
  'GET /files/{path+}',
  'GET /{kind}/me/topics',
  'GET /things/{thing_id}/parts',
  'GET /things/me/{part_id}',
  'GET /things/{rest+}',
  'DELETE /things/{thing_id}',
  'PATCH /things/{thing_id}',
]);

test.each([
  ['GET', ['users', 'me'], 'GET /users/me', {}],
  ['PATCH', ['users', 'me'], 'PATCH /users/me', {}],
  ['GET', ['users', '7'], 'GET /users/{user_id}', { user_id: '7' }],
  ['GET', ['users', 'me', 'topics'], 'GET /users/me/topics', {}],
  ['GET', ['users', 'me/topics'], 'GET /users/{user_id}', { user_id: 'me/topics' }],
  ['GET', ['files', 'a', 'b'], 'GET /files/{path+}', { path: 'a/b' }],
  ['GET', ['users', '{user_id}'], 'GET /users/{user_id}', { user_id: '{user_id}' }],
  ['GET', ['bots', 'me', 'topics'], 'GET /{kind}/me/topics', { kind: 'bots' }],
  ['GET', ['things', 'me', 'parts'], 'GET /things/me/{part_id}', { part_id: 'parts' }],
  ['GET', ['things', '7', 'parts'], 'GET /things/{thing_id}/parts', { thing_id: '7' }],
  ['GET', ['things', '7', 'others'], 'GET /things/{rest+}', { rest: '7/others' }],
  ['HEAD', ['users', '7'], 'GET /users/{user_id}', { user_id: '7' }],
  ['POST', ['things', '7'], 'PATCH /things/{thing_id}', { thing_id: '7' }],
  ['POST', ['users', 'me'], 'PATCH /users/me', {}],
  ['GET', ['users', 'me', ''], 'GET /users/me', {}],
  ['POST', ['things', '7', ''], 'PATCH /things/{thing_id}', { thing_id: '7' }],
  ['GET', ['files', 'a', ''], 'GET /files/{path+}', { path: 'a/' }],
])('%s and the segments %j are the route %s', (method, segments, route, pathParameters) => {
  expect(findRoute(method, segments)).toEqual({ route, pathParameters });
});

test.each([
  ['DELETE', ['users', 'me']],
  ['POST', ['users', '7']],
  ['GET', ['users', 'me', '', '']],
  ['GET', ['users/me']],
  ['GET', ['users', 'ME', 'topics']],
  ['GET', ['users', '']],
])('%s and the segments %j match no route', (method, segments) => {
  expect(findRoute(method, segments)).toBeUndefined();
});
