import { markAllAsRead } from '#functions/messages/mark-all-as-read.ts';
import { markChannelAsRead } from '#functions/messages/mark-channel-as-read.ts';
import { updateMessageFlags } from '#functions/messages/update-message-flags.ts';
import type { Parameters } from '#shared/api/parameters.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Operation, World } from '#tests/simulation/world.ts';
import type { Journal } from './journal.ts';
import { channelNames } from './people.ts';
import { valuesOf } from './requests.ts';

/** Actions on received messages: people read and star them, and change their minds. */
export class Readers {
  readonly #world: World;
  readonly #journal: Journal;

  constructor(world: World, journal: Journal) {
    this.#world = world;
    this.#journal = journal;
  }

  async markMessages(reader: Account, count: number): Promise<void> {
    const { random } = this.#world;
    for (let n = 0; n < count; n++) {
      await this.#world.wait(random.between(0, 300));
      const what = random.pick(['all', 'channel', 'some', 'some', 'some', 'some']);
      const channel = { stream_id: random.between(1, channelNames.length) };
      if (what === 'all') await this.#request(reader, markAllAsRead, {});
      else if (what === 'channel') await this.#request(reader, markChannelAsRead, channel);
      else await this.#request(reader, updateMessageFlags, this.#edit());
    }
  }

  #edit() {
    const { random } = this.#world;
    const sent = this.#journal.sendings.flatMap(({ messageId }) => messageId ?? []);
    const messages = sent.filter(() => random.chance(0.4));
    const flag = random.pick(['read', 'read', 'read', 'starred']);
    return { messages, op: random.pick(['add', 'remove']), flag };
  }

  /** It may be refused: not everything was theirs. */
  async #request<P extends Parameters, Result>(
    reader: Account,
    operation: Operation<P, Result> & { params: P },
    params: Record<string, unknown>,
  ): Promise<void> {
    const outcome = await this.#world.request(reader, operation, valuesOf(operation, params));
    this.#journal.verdict('Marking messages', outcome);
  }
}
