import type { Channel } from '#shared/domain/channels/channel.ts';
import {
  checkGroupSettings,
  checkNewChannelSettings,
  createChannel,
  type NewChannelSettings,
  toDescription,
} from '#shared/domain/channels/create.ts';
import { requireUsableFolder } from '#shared/domain/channels/folders.ts';
import { requireRoomFor, requireSmallRecords } from '#shared/domain/channels/new-channel-limits.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listFolders } from '#shared/store/channels/folders.ts';
import { renderText } from '#shared/store/messages/references.ts';
import { listNamed } from '#shared/store/user-groups/groups.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { countNewChannels } from './count-within-day.ts';

/** A requested channel. */
export interface ChannelRequest {
  name: string;
  description: string;
  /** The colour that the caller chose for their own subscription. */
  color: string | undefined;
}

/**
 * The new channels of one call. They are described first, and counted with their ids when nothing can refuse
 * them any more. The call may decide several times; its channels are counted once and keep their ids.
 */
export class NewChannels {
  readonly #services: Services;
  readonly #caller: User;
  readonly #settings: NewChannelSettings;
  readonly #ids = new Map<string, number>();
  #takeBack: (() => Promise<void>)[] = [];

  constructor(services: Services, caller: User, settings: NewChannelSettings) {
    this.#services = services;
    this.#caller = caller;
    this.#settings = settings;
  }

  /**
   * @throws BadRequest or UnauthorizedPrincipal when the caller may not create channels with these settings
   */
  async check(self: User, organization: Organization): Promise<void> {
    const { table, config } = this.#services;
    const settings = this.#settings;
    const allowsWebPublic = config.webPublicChannels && organization.settings.enable_spectator_access;
    checkNewChannelSettings(self, settings, { organization: organization.groups, allowsWebPublic });
    checkGroupSettings(settings, await listNamed(table, Object.values(settings.groups)));
    if (settings.folderId !== null) requireUsableFolder(await listFolders(table), settings.folderId);
  }

  /**
   * The requested channels that do not exist yet, the new ones without ids.
   * @throws BadRequest for more than the request or the organization may have
   */
  async describe(requests: ChannelRequest[]): Promise<Channel[]> {
    const fresh = requests.filter(({ name }) => !this.#ids.has(name));
    if (fresh.length > 0) await this.#requireRoom(fresh.length);
    const channels: Channel[] = [];
    for (const [index, request] of requests.entries())
      channels.push(await this.#describe(request, this.#ids.get(request.name) ?? -1 - index));
    requireSmallRecords(channels);
    return channels;
  }

  /**
   * Gives the described channels their ids.
   * @throws BadRequest for more channels than the account may create within a day
   */
  async reserve(channels: Channel[]): Promise<Channel[]> {
    const fresh = channels.filter(({ name }) => !this.#ids.has(name));
    if (fresh.length > 0) {
      this.#takeBack.push(await countNewChannels(this.#services, this.#caller, fresh.length));
      const lastId = await this.#services.table.increment(
        organizationKeys.counter('channel'),
        'id',
        fresh.length,
      );
      for (const [n, { name }] of fresh.entries()) this.#ids.set(name, lastId - fresh.length + 1 + n);
    }
    return channels.map((channel) => ({
      ...channel,
      channelId: this.#ids.get(channel.name) ?? channel.channelId,
    }));
  }

  /** Takes the count back after a refusal: of two creations of one channel at once, one is refused late. */
  async takeBack(): Promise<void> {
    for (const takeBack of this.#takeBack.splice(0)) await takeBack();
  }

  async #requireRoom(count: number): Promise<void> {
    const { table, config } = this.#services;
    const existing = Number(
      (await table.find(organizationKeys.counter('channel'), { eventually: true }))?.id ?? 0,
    );
    requireRoomFor(count, { existing, limit: config.channelLimits.organization });
  }

  async #describe({ name, description }: ChannelRequest, channelId: number): Promise<Channel> {
    const { clock, table } = this.#services;
    const text = toDescription(description);
    return createChannel(
      {
        channelId,
        name,
        description: text,
        descriptionHtml: await renderText(table, this.#caller, text),
        creatorId: this.#caller.userId,
        subscriberCount: 0,
        nowSeconds: toSeconds(clock.nowMs()),
      },
      this.#settings,
    );
  }
}
