import { describe, expect, test } from 'vitest';
import { help, readOptions } from '#infra/local/options.ts';
import { StartFailure } from '#infra/local/start-failure.ts';
import { readConfig } from '#shared/runtime/config.ts';

const RELAY = { PUSH_RELAY_URL: 'https://relay.example.com', PUSH_RELAY_USER: 'us', PUSH_RELAY_KEY: 'key' };

describe('The limit of channels', () => {
  test.each([
    'MAX_CHANNELS',
    'CHANNELS_PER_DAY',
    'MAX_USER_GROUPS',
    'MAX_CUSTOM_EMOJI',
    'MAX_BOTS_OF_OWNER',
    'MAX_SCHEDULED',
    'CREATIONS_PER_DAY',
    'ACCOUNT_UPLOAD_QUOTA_MIB',
    'DAILY_UPLOAD_QUOTA_MIB',
  ])('Must be a number in %s', (name) => {
    expect(() => readOptions({ [name]: '100' })).not.toThrow();
    expect(() => readOptions({ [name]: 'many' })).toThrow(`${name} must be a number, not "many".`);
    expect(help).toContain(name);
  });

  test('Comes from the environment, else thousands, and hundreds for an account', () => {
    const { channelLimits } = readConfig({ MAX_CHANNELS: '7', CHANNELS_PER_DAY: '3' });
    expect([channelLimits.organization, channelLimits.account.limit]).toEqual([7, 3]);
    const usual = readConfig({}).channelLimits;
    expect([usual.organization, usual.account.limit]).toEqual([2_000, 200]);
  });
});

describe('OUTGOING_ALLOW', () => {
  test('Allows hosts with ports, and an invalid entry is named', () => {
    const given = { OUTGOING_ALLOW: 'localhost:5002, 10.0.0.0/8' };
    expect(() => readOptions(given)).not.toThrow();
    expect(readConfig(given).openings.map(({ ports }) => ports)).toEqual([[5002], [80, 443]]);
    expect(help).toContain('OUTGOING_ALLOW');
    expect(() => readOptions({ OUTGOING_ALLOW: 'http://localhost' })).toThrow(
      'OUTGOING_ALLOW: "http://localhost"',
    );
  });
});

describe('Another service', () => {
  const ZOOM = { ZOOM_ACCOUNT_ID: 'account', ZOOM_CLIENT_ID: 'app', ZOOM_CLIENT_SECRET: 'secret' };
  const CALLS = { BIG_BLUE_BUTTON_URL: 'https://calls.example.com', BIG_BLUE_BUTTON_SECRET: 'shared' };

  test.each<[Record<string, string>, address: string]>([
    [ZOOM, 'ZOOM_API_URL'],
    [CALLS, 'BIG_BLUE_BUTTON_URL'],
  ])('Has all of %j or none, and an http address', (known, address) => {
    expect(() => readOptions(known)).not.toThrow();
    for (const name of Object.keys(known)) {
      expect(() => readOptions({ ...known, [name]: '' })).toThrow('are given together');
      expect(help).toContain(name);
    }
    const message = `${address} must be an http address, not "calls".`;
    expect(() => readOptions({ ...known, [address]: 'calls' })).toThrow(message);
  });

  test('Gets the credentials, and has the addresses of zoom.us unless others are given', () => {
    const credentials = { accountId: 'account', clientId: 'app', clientSecret: 'secret' };
    const tokenUrl = 'https://zoom.us/oauth/token';
    const apiUrl = 'https://api.zoom.us/v2';
    expect(readConfig(ZOOM).zoom).toEqual({ ...credentials, tokenUrl, apiUrl });
    const elsewhere = { ...ZOOM, ZOOM_API_URL: 'https://api.zoomgov.com/v2' };
    expect(readConfig(elsewhere).zoom?.apiUrl).toBe('https://api.zoomgov.com/v2');
    expect(readConfig(CALLS).bigBlueButton).toEqual({ url: 'https://calls.example.com', secret: 'shared' });
  });
});

describe('JWT_AUTH_KEY', () => {
  test('Has at least 32 characters', () => {
    expect(readConfig({ JWT_AUTH_KEY: 'x'.repeat(32) }).jwtKey).toBe('x'.repeat(32));
    expect(() => readOptions({ JWT_AUTH_KEY: 'x'.repeat(32) })).not.toThrow();
    expect(() => readOptions({ JWT_AUTH_KEY: 'x'.repeat(31) })).toThrow(
      'JWT_AUTH_KEY must have at least 32 characters.',
    );
    expect(help).toContain('JWT_AUTH_KEY');
  });
});

describe('The push relay of a local service', () => {
  test('Has an address, and the name by which it knows the service', () => {
    const relay = { url: 'https://relay.example.com', user: 'us', key: 'key' };
    expect(readOptions(RELAY).relay).toEqual(relay);
    for (const name of Object.keys(RELAY)) expect(help).toContain(name);
  });

  test('Does not exist by default', () => {
    expect(readOptions({}).relay).toBeUndefined();
  });

  test.each([
    [{ PUSH_RELAY_USER: '' }, 'PUSH_RELAY_URL takes PUSH_RELAY_USER and PUSH_RELAY_KEY as well.'],
    [{ PUSH_RELAY_KEY: ' ' }, 'PUSH_RELAY_URL takes PUSH_RELAY_USER and PUSH_RELAY_KEY as well.'],
    [{ PUSH_RELAY_URL: 'relay' }, 'PUSH_RELAY_URL must be an http address, not "relay".'],
  ])('Fails with %j', (changed, message) => {
    expect(() => readOptions({ ...RELAY, ...changed })).toThrow(message);
  });
});

describe('The settings of npm start', () => {
  const USUAL = {
    port: 9991,
    host: '127.0.0.1',
    dataDir: '.data',
    dynamodbEndpoint: undefined,
    organizationName: 'Team Chat',
    ownerEmail: 'owner@example.com',
    ownerPassword: undefined,
    ownerMayChangeEmails: false,
    reactivates: false,
    requestsPerMinute: undefined,
    showsUnits: false,
    devKeys: false,
    relay: undefined,
  };

  test('Have defaults if nothing is set, or only spaces', () => {
    expect(readOptions({})).toEqual(USUAL);
    const names = ['PORT', 'HOST', 'DATA_DIR', 'DYNAMODB_ENDPOINT', 'ORGANIZATION_NAME', 'OWNER_EMAIL'];
    const more = ['OWNER_MAY_CHANGE_EMAILS', 'REACTIVATE', 'REQUESTS_PER_MINUTE', 'CONSUMED_UNITS'];
    const blank = Object.fromEntries([...names, ...more, 'PUSH_RELAY_URL'].map((name) => [name, ' ']));
    expect(readOptions(blank)).toEqual(USUAL);
    expect(readOptions({ OWNER_PASSWORD: '' })).toEqual(USUAL);
  });

  test('Come from the environment, without spaces around them except in passwords', () => {
    const said = readOptions({
      PORT: ' 65535 ',
      HOST: '0.0.0.0',
      DATA_DIR: ' elsewhere ',
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000',
      ORGANIZATION_NAME: ' Kiln ',
      OWNER_EMAIL: 'ada@example.com',
      OWNER_PASSWORD: ' spaces count ',
      OWNER_MAY_CHANGE_EMAILS: 'true',
      REACTIVATE: 'true',
      REQUESTS_PER_MINUTE: '999999999',
      CONSUMED_UNITS: 'true',
    });
    expect(said).toEqual({
      ...USUAL,
      ...{ port: 65_535, host: '0.0.0.0', dataDir: 'elsewhere', dynamodbEndpoint: 'http://127.0.0.1:8000' },
      ...{ organizationName: 'Kiln', ownerEmail: 'ada@example.com', ownerPassword: ' spaces count ' },
      ...{ ownerMayChangeEmails: true, reactivates: true, requestsPerMinute: 999_999_999, showsUnits: true },
    });
    expect(readOptions({ DATA_DIR: ':memory:' }).dataDir).toBeUndefined();
    expect(readOptions({ PORT: '0', REQUESTS_PER_MINUTE: '1' })).toMatchObject({
      ...{ port: 0, requestsPerMinute: 1 },
    });
  });

  test.each([
    ['PORT', '65536', 'a number from 0 to 65535'],
    ['PORT', '123456', 'a number from 0 to 65535'],
    ['PORT', 'http', 'a number from 0 to 65535'],
    ['REQUESTS_PER_MINUTE', '0', 'a number from 1 on'],
    ['REQUESTS_PER_MINUTE', '1000000000', 'a number from 1 on'],
    ['MAX_CHANNELS', '1000000000', 'a number'],
    ['MAX_CHANNELS', '-1', 'a number'],
    ['MAX_FILE_MIB', '0', 'a number from 1 to 100'],
    ['MAX_FILE_MIB', '101', 'a number from 1 to 100'],
    ['OWNER_EMAIL', 'ada', 'an e-mail address'],
    ['DYNAMODB_ENDPOINT', 'localhost:8000', 'an http address'],
    ['PUSH_RELAY_URL', 'ftp://relay', 'an http address'],
    ['CONSUMED_UNITS', 'yes', 'true or false'],
    ['ACCESS_LOG', 'on', 'true or false'],
    ['REACTIVATE', 'TRUE', 'true or false'],
  ])('Refuse %s as %j', (name, value, must) => {
    expect(() => readOptions({ [name]: value })).toThrow(`${name} must be ${must}, not "${value}".`);
    expect(() => readOptions({ [name]: value })).toThrow(StartFailure);
  });
});
