import { describe, expect, test } from 'vitest';
import { findSound } from '#shared/api/web/notification-sounds.ts';

const SAMPLES_PER_SECOND = 16_000;
const SAMPLES = 9_600;

/** The sound of a string that is plucked at a time: a tone and its octave, which fade. */
const pluckedAt = (startsAtSeconds: number, hertz: number) => (atSeconds: number) => {
  const seconds = atSeconds - startsAtSeconds;
  if (seconds < 0) return 0;
  const [tone, octave] = [hertz, 2 * hertz].map((each) => Math.sin(2 * Math.PI * each * seconds));
  return Math.min(1, seconds / 0.004) * Math.exp(-9 * seconds) * (0.8 * Number(tone) + 0.2 * Number(octave));
};

describe('A notification sound', () => {
  test.each([
    ['ding', [pluckedAt(0, 1046.5)]],
    ['zulip', [pluckedAt(0, 659.26), pluckedAt(0.12, 987.77)]],
  ])('Lasts six tenths of a second, as plucked strings: %s', (name, strings) => {
    const file = findSound(`/static/audio/notification_sounds/${name}.wav`) as Buffer;
    expect(file.length).toBe(44 + 2 * SAMPLES);
    const differences = Array.from({ length: SAMPLES }, (_, n) => {
      const loudness = strings.reduce((sum, at) => sum + at(n / SAMPLES_PER_SECOND), 0);
      return Math.abs(file.readInt16LE(44 + 2 * n) - 0.35 * 32_767 * loudness);
    });
    expect(Math.max(...differences)).toBeLessThan(0.501);
  });

  test('Has the format of a WAV file: one channel of 16-bit samples, not compressed', () => {
    const file = findSound('/static/audio/notification_sounds/ding.mp3') as Buffer;
    const text = (start: number, end: number) => file.subarray(start, end).toString('latin1');
    expect([text(0, 4), text(8, 16), text(36, 40)]).toEqual(['RIFF', 'WAVEfmt ', 'data']);
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect(file.readUInt32LE(16)).toBe(16);
    const [pcm, channels, bytesOfSample, bitsOfSample] = [20, 22, 32, 34].map((at) => file.readUInt16LE(at));
    expect({ pcm, channels, bytesOfSample, bitsOfSample }).toEqual({
      pcm: 1,
      channels: 1,
      bytesOfSample: 2,
      bitsOfSample: 16,
    });
    expect([24, 28, 40].map((at) => file.readUInt32LE(at))).toEqual([
      SAMPLES_PER_SECOND,
      2 * SAMPLES_PER_SECOND,
      2 * SAMPLES,
    ]);
  });

  test.each(['ding.flac', 'ding', 'other.wav', '.wav', 'ding.wav/x'])('Does not exist at %s', (name) => {
    expect(findSound(`/static/audio/notification_sounds/${name}`)).toBeUndefined();
  });
});
