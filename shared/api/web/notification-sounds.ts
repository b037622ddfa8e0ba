/** A tone that starts at once and decays like a string's. */
interface Tone {
  hertz: number;
  startsAtSeconds: number;
}

/** By protocol name. */
const SOUNDS = new Map<string, Tone[]>([
  ['ding', [{ hertz: 1046.5, startsAtSeconds: 0 }]],
  [
    'zulip',
    [
      { hertz: 659.26, startsAtSeconds: 0 },
      { hertz: 987.77, startsAtSeconds: 0.12 },
    ],
  ],
]);
/** Clients request a sound with any extension that they know, and rely on the answer's media type. */
const PATH = /^\/static\/audio\/notification_sounds\/(\w+)\.(?:wav|ogg|mp3)$/;

const SAMPLES_PER_SECOND = 16_000;
const SECONDS = 0.6;
const BYTES_PER_SAMPLE = 2;
const HEADER_BYTES = 44;
const LOUDNESS = 0.35 * 32_767;
const FADES_PER_SECOND = 9;
/** Without it a tone starts with a click. */
const ATTACK_SECONDS = 0.004;

/** The notification sound at a path, as a WAV file. */
export function findSound(path: string): Buffer | undefined {
  const tones = SOUNDS.get(PATH.exec(path)?.[1] ?? '');
  return tones && toWave(tones);
}

function toWave(tones: Tone[]): Buffer {
  const samples = SAMPLES_PER_SECOND * SECONDS;
  const file = Buffer.alloc(HEADER_BYTES + samples * BYTES_PER_SAMPLE);
  writeHeader(file);
  for (let n = 0; n < samples; n++) {
    const loudness = tones.reduce((sum, tone) => sum + waveAt(tone, n / SAMPLES_PER_SECOND), 0);
    file.writeInt16LE(Math.round(LOUDNESS * loudness), HEADER_BYTES + n * BYTES_PER_SAMPLE);
  }
  return file;
}

/** The amplitude of a tone and, softer, its octave. Each is at most 1. */
function waveAt({ hertz, startsAtSeconds }: Tone, atSeconds: number): number {
  const seconds = Math.max(0, atSeconds - startsAtSeconds);
  const turn = 2 * Math.PI * hertz * seconds;
  const envelope = Math.min(1, seconds / ATTACK_SECONDS) * Math.exp(-FADES_PER_SECOND * seconds);
  return envelope * (0.8 * Math.sin(turn) + 0.2 * Math.sin(2 * turn));
}

/** One channel of uncompressed samples. */
function writeHeader(file: Buffer): void {
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  file.writeUInt32LE(SAMPLES_PER_SECOND * BYTES_PER_SAMPLE, 28);
  file.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  file.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  file.write('data', 36);
  file.writeUInt32LE(file.length - HEADER_BYTES, 40);
}
