import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '#shared/runtime/config.ts';
import { connectAgent, type TestAgent } from '#tests/harness/agents.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { TokenClient } from '#tests/harness/token-client.ts';

const ALL = ['read', 'send', 'organize'];
const TOOLS = {
  read: [
    'whoami',
    'list_channels',
    'list_topics',
    'find_people',
    'read_conversation',
    'read_message',
    'search_messages',
    'list_unread',
    'read_attachment',
  ],
  send: [
    'draft_message',
    'send_message',
    'schedule_message',
    'edit_message',
    'add_reaction',
    'remove_reaction',
  ],
  organize: ['mark_read', 'move_topic', 'resolve_topic', 'set_topic_visibility', 'set_status'],
};

const service = await startTestService();
const [person, other] = await createUsers(service, 'Person', 'Other');
const principals = [person.userId, other.userId];
const design = await person.subscribe('design', { principals });
const elsewhere = await person.subscribe('elsewhere', { principals });

// biome-ignore lint/suspicious/noExplicitAny: the fields of each tool differ
const use = async (agent: TestAgent, name: string, params: Record<string, unknown> = {}): Promise<any> => {
  const result = await agent.callTool({ name, arguments: params });
  const { structuredContent, content, isError } = result as {
    structuredContent: object;
    content: { text: string }[];
    isError: boolean;
  };
  return { ...structuredContent, text: content.map(({ text }) => text).join(), isError };
};

describe.each(['modern', 'legacy'] as const)("The SDK's client of the %s era", (era) => {
  let agent: TestAgent;
  beforeAll(async () => {
    agent = await connectAgent(era, await TokenClient.create(person, ALL));
  });
  afterAll(() => agent.close());

  test('Lists tools with schemas and hints, resources and prompts', async () => {
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toEqual(Object.values(TOOLS).flat());
    for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ type: 'object' });
    const onlyReads = (tool: (typeof tools)[number]) =>
      (tool.annotations as { readOnlyHint: boolean }).readOnlyHint;
    const writes = tools.filter((tool) => !onlyReads(tool));
    expect(writes.map(({ name }) => name)).toEqual([...TOOLS.send, ...TOOLS.organize]);
    const { resources } = await agent.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['chat://channels', 'chat://formatting']);
    const { resourceTemplates } = await agent.listResourceTemplates();
    expect(resourceTemplates).toHaveLength(2);
    const { prompts } = await agent.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['catch_up', 'summarize_topic', 'draft_reply']);
    const prompt = await agent.getPrompt({ name: 'draft_reply', arguments: { message_id: '7' } });
    expect(JSON.stringify(prompt.messages)).toContain('message 7');
  });

  test('Reads, drafts and sends', async () => {
    const topic = `colors ${era}`;
    const id = await other.send('design', topic, `A walrus, **${era}**`);
    const read = await use(agent, 'read_conversation', { channel: 'design', topic });
    expect(read.messages).toMatchObject([
      { id, content: `A walrus, **${era}**`, topic, channel: { id: design }, is_unread: true },
    ]);
    expect(read.text).toContain('not as instructions');
    const { hits } = await use(agent, 'search_messages', { text: 'walrus', topic });
    expect(hits).toMatchObject([{ id }]);
    const drafted = await use(agent, 'draft_message', { channel: design, topic, content: 'Blue?' });
    const { body } = await person.get('/drafts');
    const draft = { id: drafted.draft_id, content: 'Blue?', to: [design], topic };
    expect(body.drafts).toContainEqual(expect.objectContaining(draft));
    const sent = await use(agent, 'send_message', { channel: 'design', topic, content: 'Blue!' });
    const message = { subject: topic, client: expect.stringMatching(/\(MCP\)$/) };
    const reply = await person.get(`/messages/${sent.id}`);
    expect(reply.body).toMatchObject({ raw_content: 'Blue!', message });
    const direct = await use(agent, 'send_message', { people: [other.email], content: 'Hello' });
    expect((await other.get(`/messages/${direct.id}`)).body.raw_content).toBe('Hello');
  });

  test('Reads resources, and answers an error for an unknown one', async () => {
    const id = await other.send('design', 'resources', 'In a resource');
    for (const [uri, text] of [
      [`chat://message/${id}`, 'In a resource'],
      [`chat://topic/${design}/resources`, 'In a resource'],
      ['chat://channels', 'design'],
    ] as const)
      expect(JSON.stringify(await agent.readResource({ uri }))).toContain(text);
    for (const uri of ['chat://message/999999', 'file:///etc/passwd'])
      await expect(agent.readResource({ uri })).rejects.toThrow();
  });

  test('Answers a refusal with a result that gives the reason', async () => {
    const message = { channel: 'no such channel', topic: 'x', content: 'x' };
    const refused = await use(agent, 'send_message', message);
    expect(refused).toMatchObject({ isError: true, text: "Invalid channel name 'no such channel'" });
    expect((await use(agent, 'send_message', { channel: 7 })).isError).toBe(true);
    expect((await use(agent, 'read_message', { id: 'x' })).isError).toBe(true);
    await expect(use(agent, 'no_such_tool')).rejects.toThrow();
  });
});

describe('The tools', () => {
  let agent: TestAgent;
  beforeAll(async () => {
    agent = await connectAgent('modern', await TokenClient.create(person, ALL));
  });
  afterAll(() => agent.close());

  test('Offer whoami, list_channels, list_topics, find_people and list_unread', async () => {
    const id = await other.send('design', 'unread things', 'first line');
    expect(await use(agent, 'whoami')).toMatchObject({ id: person.userId, scopes: ALL, channels: null });
    const { channels } = await use(agent, 'list_channels', { query: 'DESIGN', subscribed: true });
    expect(channels).toMatchObject([{ id: design, name: 'design', is_subscribed: true }]);
    const { topics } = await use(agent, 'list_topics', { channel: 'design', query: 'unread' });
    expect(topics).toEqual([{ topic: 'unread things', last_message_id: id, unread: 1 }]);
    const { people } = await use(agent, 'find_people', { query: 'other' });
    expect(people).toMatchObject([{ id: other.userId, name: 'Other', role: 'member' }]);
    const { conversations } = await use(agent, 'list_unread');
    const unread = { topic: 'unread things', unread: 1, first_unread_id: id };
    expect(conversations[0]).toMatchObject({ ...unread, first_lines: ['Other: first line'] });
    await use(agent, 'mark_read', { channel: 'design', topic: 'unread things' });
    for (const { topic } of (await use(agent, 'list_unread')).conversations)
      expect(topic).not.toBe('unread things');
  });

  test('Refuse a mention of everyone unless the call allows it', async () => {
    const message = { channel: 'design', topic: 'all', content: 'Hello @**all**' };
    const deliver_at = '2099-01-01T00:00:00Z';
    for (const name of ['send_message', 'schedule_message'])
      expect((await use(agent, name, { ...message, deliver_at })).isError).toBe(true);
    const allowed = await use(agent, 'send_message', { ...message, allow_wildcard: true });
    expect(allowed.isError).toBe(false);
  });

  test('Send once if a call is repeated with the same key', async () => {
    const message = { channel: 'design', topic: 'once', content: 'Once', idempotency_key: 'k1' };
    const first = await use(agent, 'send_message', message);
    const second = await use(agent, 'send_message', message);
    expect(second.id).toBe(first.id);
  });

  test('Schedule, edit against the hash of the text, and react', async () => {
    const later = { channel: 'design', topic: 'later', content: 'Later' };
    const deliver_at = '2099-01-01T12:00:00+02:00';
    const scheduled = await use(agent, 'schedule_message', { ...later, deliver_at });
    expect(scheduled.deliver_at).toBe('2099-01-01T10:00:00.000Z');
    const id = await person.send('design', 'edits', 'before');
    for (const [text, isError] of [
      ['something else', true],
      ['before', false],
    ] as const) {
      const previous_hash = createHash('sha256').update(text).digest('hex');
      const edit = { id, content: 'after', previous_hash };
      expect((await use(agent, 'edit_message', edit)).isError).toBe(isError);
    }
    await use(agent, 'add_reaction', { id, emoji: ':tada:' });
    const { message } = await use(agent, 'read_message', { id });
    expect(message).toMatchObject({ content: 'after', reactions: [{ emoji: 'tada', count: 1 }] });
    await use(agent, 'remove_reaction', { id, emoji: 'tada' });
    expect((await use(agent, 'read_message', { id })).message.reactions).toEqual([]);
  });

  test('Move, resolve and follow a topic, and set the status', async () => {
    const id = await person.send('design', 'old name', 'x');
    await use(agent, 'move_topic', { channel: 'design', topic: 'old name', to_topic: 'new name' });
    await use(agent, 'resolve_topic', { channel: 'design', topic: 'new name' });
    expect((await person.get(`/messages/${id}`)).body.message.subject).toBe('✔ new name');
    // The notice of the first, which the second takes back.
    await service.settle();
    await use(agent, 'resolve_topic', { channel: 'design', topic: '✔ new name', resolved: false });
    expect((await person.get(`/messages/${id}`)).body.message.subject).toBe('new name');
    const topic = { channel: 'design', topic: 'new name' };
    await use(agent, 'set_topic_visibility', { ...topic, visibility: 'followed' });
    const { snapshot } = await person.register({ fetch_event_types: ['user_topic'] });
    const followed = { topic_name: 'new name', visibility_policy: 3 };
    expect(snapshot.user_topics).toContainEqual(expect.objectContaining(followed));
    await use(agent, 'set_status', { text: 'Agents at work' });
    const { body } = await other.get(`/users/${person.userId}/status`);
    expect(body.status.status_text).toBe('Agents at work');
  });

  test('Read an attached text', async () => {
    const form = new FormData();
    form.append('file', new File(['the text of the file'], 'notes.txt', { type: 'text/plain' }));
    const { body } = await person.post('/user_uploads', {}, { rawBody: form });
    const { text } = await use(agent, 'read_attachment', { path_id: body.url });
    expect(text).toContain('the text of the file');
    await person.subscribe('files');
    const content = `[notes](${body.url})`;
    const sent = await use(agent, 'send_message', { channel: 'files', topic: 'first', content });
    expect(sent.isError).toBe(false);
  });
});

describe('The limits of a token', () => {
  test('A token lists and uses only tools of its scopes', async () => {
    for (const [scope, names] of Object.entries(TOOLS)) {
      const agent = await connectAgent('modern', await TokenClient.create(person, [scope]));
      const { tools } = await agent.listTools();
      expect(tools.map(({ name }) => name)).toEqual(names);
      const others = new Set(Object.values(TOOLS).flat()).difference(new Set(names));
      for (const name of others) await expect(use(agent, name)).rejects.toThrow();
      await agent.close();
    }
  });

  test('A token that is limited to a channel reads, drafts and sends nowhere else', async () => {
    await other.send('elsewhere', 'hidden', 'hidden walrus');
    await other.sendDirect([person.userId], 'hidden walrus');
    await other.send('design', 'shown', 'shown walrus');
    const agent = await connectAgent('legacy', await TokenClient.create(person, ALL, { channels: [design] }));
    for (const [name, params] of [
      ['list_channels', {}],
      ['list_unread', {}],
      ['search_messages', { text: 'walrus' }],
      ['search_messages', { sender: other.userId }],
    ] as const)
      expect((await use(agent, name, params)).text).not.toContain('hidden');
    for (const place of [{ channel: elsewhere, topic: 'hidden' }, { people: [other.userId] }])
      for (const name of ['send_message', 'draft_message', 'schedule_message', 'read_conversation']) {
        const message = { ...place, content: 'x', deliver_at: '2099-01-01T00:00:00Z' };
        const { isError, messages = [] } = await use(agent, name, message);
        expect([name, place, isError || messages.length === 0]).toEqual([name, place, true]);
      }
    const drafted = await use(agent, 'draft_message', { channel: design, topic: 'x', content: 'x' });
    expect(drafted.isError).toBe(false);
    await agent.close();
  });
});

describe('POST /mcp', () => {
  const post = (message: unknown, headers: Record<string, string> = {}, caller = person) =>
    sendTo(`${caller.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: caller.authorization, ...headers },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const modern = (changes: object = {}) => ({
    ...list,
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
    ...changes,
  });
  const initialize = { method: 'initialize' };
  const initializeHeader = { 'mcp-method': 'initialize' };
  const modernHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };

  test('Agents of a person get 429 above their limit while the person’s other requests succeed', async () => {
    const agent = { requests: 2, windowSeconds: 3_600 };
    const limited = await startTestService({ requestLimits: { ...defaultConfig.requestLimits, agent } });
    const caller = await limited.createUser('Caller');
    for (const expected of [200, 200, 429]) expect((await post(list, {}, caller)).status).toBe(expected);
    expect((await caller.get('/users/me')).status).toBe(200);
  });

  test('A request without credentials learns where to get a token, and browser sessions are refused', async () => {
    const { status, headers } = await post(list, { authorization: '' });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain(
      `resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  test('An API key works as the password of HTTP basic auth', async () => {
    const { status, body } = await post(list);
    expect(status).toBe(200);
    expect(body.result.tools.length).toBe(20);
    expect(body.result.resultType).toBeUndefined();
  });

  test('Results of the newer era carry how long they stay valid', async () => {
    const { body } = await post(modern(), modernHeaders);
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' });
  });

  test.each([
    ['no JSON', '{', {}, 400, -32_700],
    ['a batch', [list], {}, 400, -32_600],
    ['another version of JSON-RPC', { ...list, jsonrpc: '1.0' }, {}, 400, -32_600],
    ['deeply nested arrays', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, {}, 400, -32_700],
    ['an unknown version', list, { 'mcp-protocol-version': '2030-01-01' }, 400, -32_022],
    ['a header of another method', modern(), { ...modernHeaders, 'mcp-method': 'ping' }, 400, -32_020],
    ['no header of the version', modern(), {}, 400, -32_020],
    ['no capabilities', { ...list, params: {} }, modernHeaders, 400, -32_602],
    ['an unknown method', { ...list, method: 'x' }, {}, 200, -32_601],
    [
      'initialize of the newer era',
      modern(initialize),
      { ...modernHeaders, ...initializeHeader },
      404,
      -32_601,
    ],
  ])('Returns an error for %s', async (_what, message, headers, status, code) => {
    const reply = await post(message, headers as Record<string, string>);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });

  test('A notification is accepted without a reply, and other HTTP methods get 405', async () => {
    const { status, body } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([status, body]).toEqual([202, undefined]);
    for (const method of ['GET', 'DELETE'])
      expect((await sendTo(`${service.url}/mcp`, { method })).status).toBe(405);
  });

  test('A page of another site is refused', async () => {
    expect((await post(list, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(list, { origin: service.url })).status).toBe(200);
  });
});
