import { describe, expect, test } from 'vitest';
import { type CallSettings, callProviderOf, jitsiAddress } from '#web/state/calls.ts';
import { serverAfter } from '../scene.ts';

const settings: CallSettings = {
  realm_video_chat_provider: 1,
  realm_available_video_chat_providers: {
    disabled: { name: 'None', id: 0 },
    jitsi_meet: { name: 'Jitsi Meet', id: 1 },
    big_blue_button: { name: 'BigBlueButton', id: 4 },
    zoom_server_to_server: { name: 'Zoom', id: 5 },
  },
  realm_jitsi_server_url: null,
  server_jitsi_server_url: 'https://meet.jit.si',
};

describe('The provider of calls', () => {
  test.each([
    [1, { kind: 'jitsi', serverUrl: 'https://meet.jit.si' }],
    [4, { kind: 'bigBlueButton' }],
    [5, { kind: 'zoom' }],
  ])('Has the name for id %i: %j', (id, provider) => {
    expect(callProviderOf({ ...settings, realm_video_chat_provider: id })).toEqual(provider);
  });

  test.each([0, 3, 99])('Does not exist for the id %i, which names no usable provider', (id) => {
    expect(callProviderOf({ ...settings, realm_video_chat_provider: id })).toBeUndefined();
  });

  test('Does not exist if the deployment no longer has the chosen one', () => {
    const { jitsi_meet, disabled } = settings.realm_available_video_chat_providers;
    const realm_available_video_chat_providers = { disabled: disabled!, jitsi_meet: jitsi_meet! };
    for (const realm_video_chat_provider of [4, 5])
      expect(
        callProviderOf({ ...settings, realm_video_chat_provider, realm_available_video_chat_providers }),
      ).toBeUndefined();
  });

  test('Does not exist if it is Jitsi without a server', () => {
    expect(callProviderOf({ ...settings, server_jitsi_server_url: null })).toBeUndefined();
  });

  test('Uses the Jitsi server of the organization before that of the service', () => {
    const own = { ...settings, realm_jitsi_server_url: 'https://calls.example.com/' };
    expect(callProviderOf(own)).toEqual({ kind: 'jitsi', serverUrl: 'https://calls.example.com/' });
  });

  test('Changes with the settings of the organization', () => {
    const data = { jitsi_server_url: 'https://calls.example.com' };
    const event = { type: 'realm', op: 'update_dict', property: 'default', data };
    const provider = { kind: 'jitsi', serverUrl: 'https://calls.example.com' };
    expect(callProviderOf(serverAfter(settings, event))).toEqual(provider);
    const off = { type: 'realm', op: 'update_dict', property: 'default', data: { video_chat_provider: 0 } };
    expect(callProviderOf(serverAfter(settings, off))).toBeUndefined();
  });
});

describe('The address of a Jitsi call', () => {
  test('Has a room of 15 random digits below the server, with or without a slash at its end', () => {
    for (const serverUrl of ['https://meet.jit.si', 'https://meet.jit.si/'])
      expect(jitsiAddress(serverUrl, 'video')).toMatch(
        /^https:\/\/meet\.jit\.si\/\d{15}#config\.startWithVideoMuted=false$/,
      );
  });

  test('Starts without video for a voice call', () => {
    expect(jitsiAddress('https://meet.jit.si', 'voice')).toMatch(
      /\/\d{15}#config\.startWithVideoMuted=true$/,
    );
  });

  test('Differs for each call', () => {
    const addresses = Array.from({ length: 100 }, () => jitsiAddress('https://meet.jit.si', 'video'));
    expect(new Set(addresses).size).toBe(100);
  });
});
