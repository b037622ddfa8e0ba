import { registerClientDevice } from '#functions/push/register-client-device.ts';
import { registerPushDevice } from '#functions/push/register-push-device.ts';
import { runJob } from '#functions/workers/run-job.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { openBox } from '#shared/push/push-box.ts';
import type { RelayRequest } from '#shared/runtime/relay.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { contextOf, type World } from '#tests/simulation/world.ts';
import { pushRegistration, valuesOf } from './requests.ts';
import { Membership } from './society.ts';

const SHARE_OF_OWNERS = 0.5;
const KEY_BYTES = 32;
const SECRETBOX = 0x31;

interface Phone {
  owner: Account;
  tokenId: string;
  key: Uint8Array;
}

/** The devices of some of the people. */
export class Phones {
  readonly #world: World;
  readonly #phones: Phone[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Some people get a phone. Nothing goes wrong yet. */
  async add(): Promise<void> {
    const { people, random, notices } = this.#world;
    const services = this.#world.services();
    for (const owner of people.filter(() => random.chance(SHARE_OF_OWNERS))) {
      const context = contextOf(services, owner);
      const bytes = (count: number) => Uint8Array.from({ length: count }, () => random.between(0, 255));
      const phone = { owner, tokenId: Buffer.from(bytes(8)).toString('base64'), key: bytes(KEY_BYTES) };
      const { device_id } = await registerClientDevice.handle({}, context);
      const registration = {
        ...pushRegistration(device_id, owner.userId, ''),
        push_key: Buffer.from([SECRETBOX, ...phone.key]).toString('base64'),
        token_id: phone.tokenId,
      };
      await registerPushDevice.handle(valuesOf(registerPushDevice, registration), context);
      for (const notice of notices.splice(0)) await runJob(services, notice);
      this.#phones.push(phone);
    }
  }

  /**
   * Every phone got each direct message to its owner, unless they may have read it, and nothing that its owner may
   * not read.
   */
  judge(log: LogEntry[], handedOver: RelayRequest[], mayBeRead: boolean): string[] {
    const membership = new Membership();
    const idsByPhone = new Map(this.#phones.map((phone) => [phone, idsToldTo(phone, handedOver)]));
    const complaints: string[] = [];
    for (const entry of log) {
      membership.apply(entry);
      const { message, position } = entry;
      for (const [{ owner }, ids] of idsByPhone) {
        const isDirect =
          message?.kind === 'direct' && message.recipients.some(({ id }) => id === owner.userId);
        const isOwn = message?.senderId === owner.userId;
        const isReceived = message?.kind === 'channel' && membership.has(owner.userId, message.channelId);
        if (ids.has(position) && (isOwn || !(isDirect || isReceived)))
          complaints.push(`The phone of ${owner.fullName} was notified of ${position}`);
        if (isDirect && !isOwn && !ids.has(position) && !mayBeRead)
          complaints.push(`The phone of ${owner.fullName} was not notified of ${position}`);
      }
    }
    return complaints;
  }
}

function idsToldTo({ tokenId, key }: Phone, handedOver: RelayRequest[]): Set<number> {
  const payloads = handedOver
    .filter((request) => request.token_id === tokenId)
    .map(({ payload }) => {
      const content = openBox(key, Buffer.from(payload.encrypted_data, 'base64'));
      return JSON.parse(Buffer.from(content ?? []).toString());
    });
  return new Set(payloads.filter(({ type }) => type === 'message').map(({ message_id }) => message_id));
}
