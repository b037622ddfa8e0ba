import type { Account } from '#shared/domain/users/user.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { OperationName, Params } from '#tests/simulation/actions/action.ts';
import { type ActionWorld, callOperation } from '#tests/simulation/actions/action-world.ts';

/** The stage of a scenario: an organization whose requests are executed at once, until the first step. */
export class Stage {
  readonly world: ActionWorld;
  #labels = 0;

  constructor(world: ActionWorld) {
    this.world = world;
  }

  /** The account of a person, by the first name; people who come later are found once they are among the people. */
  account(name: string): Account {
    const account = this.world.people.find(({ fullName }) => fullName === name);
    if (!account) throw new Error(`There is no ${name}`);
    return account;
  }

  id(name: string): number {
    return this.account(name).userId;
  }

  /** The parameter that names a person. */
  target(name: string): Params {
    return { user_id_or_email: this.id(name) };
  }

  get everyone(): string[] {
    return this.world.people.map(({ fullName }) => fullName);
  }

  call(by: string, operation: OperationName, params: Params = {}): Promise<SnapshotData> {
    return callOperation(this.world.services(), this.account(by), operation, params);
  }

  /** Calls an operation while the scenario runs, again until there is an answer. */
  async query(by: string, operation: OperationName, params: Params = {}): Promise<SnapshotData> {
    for (;;) {
      const outcome = await this.world.query(this.account(by), operation, params);
      if (outcome.kind === 'done') return outcome.value;
    }
  }

  /** A name that occurs once in a run. */
  name(what: string): string {
    this.#labels += 1;
    return `${what} ${this.#labels}`;
  }

  /** A new channel with these people in it. */
  async channel(subscribers: string[], params: Params = {}): Promise<{ channelId: number; name: string }> {
    const name = this.name('channel');
    const reply = await this.call(this.owner, 'createChannel', {
      name,
      subscribers: subscribers.map((subscriber) => this.id(subscriber)),
      ...params,
    });
    return { channelId: Number(reply.id), name };
  }

  /** The id of a new group with these people in it. */
  async group(members: string[], params: Params = {}): Promise<number> {
    const { group_id: id } = await this.call('Ada', 'createUserGroup', {
      name: this.name('group'),
      description: '',
      members: members.map((member) => this.id(member)),
      ...params,
    });
    return Number(id);
  }

  /** Sends messages to a topic and returns their ids. */
  async messages(by: string, channelId: number, topic: string, count = 1): Promise<number[]> {
    const ids: number[] = [];
    for (let n = 0; n < count; n++) {
      const content = this.name('message');
      const reply = await this.call(by, 'sendMessage', { type: 'channel', to: channelId, topic, content });
      ids.push(Number(reply.id));
    }
    return ids;
  }

  /** Sets the policy of a person for a topic. */
  choose(by: string, channelId: number, topic: string, policy: number): Promise<SnapshotData> {
    return this.call(by, 'setTopicPolicy', { stream_id: channelId, topic, visibility_policy: policy });
  }

  /** Lets time pass. The table deletes some of the items that expire meanwhile. */
  pass(ms: number): Promise<void> {
    const { world } = this;
    return world.simulation.run(world.wait(ms).then(() => world.expire()));
  }

  get owner(): string {
    return this.world.people[0]?.fullName ?? '';
  }
}
