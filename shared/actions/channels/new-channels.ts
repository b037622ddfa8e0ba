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
import { keys } from '#shared/table/keys.ts';
import { countNewChannels } from './count-within-day.ts';

/** A requested channel. */
export interface ChannelRequest {
  name: string;
  description: string;
  /** The colour that the caller chose for their own subscription. */
  color: string | undefined;
}

/**
 * The new channels of one call. The call may decide several times; its channels are counted once and keep
 * their ids.
 */
export class NewChannels {
  readonly #services: Services;
  readonly #caller: User;
  readonly #settings: NewChannelSettings;
  readonly #ids = new Map<string, number>();

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
   * The requested channels that do not exist yet.
   * @throws BadRequest for more than the request, the account within a day, or the organization may have
   */
  async describe(requests: ChannelRequest[]): Promise<Channel[]> {
    const fresh = requests.filter(({ name }) => !this.#ids.has(name));
    if (fresh.length > 0) await this.#reserve(fresh);
    const channels: Channel[] = [];
    for (const request of requests) channels.push(await this.#describe(request));
    requireSmallRecords(channels);
    return channels;
  }

  async #reserve(requests: ChannelRequest[]): Promise<void> {
    const { table, config } = this.#services;
    const counter = keys.counter('channel');
    const existing = Number((await table.find(counter, { eventually: true }))?.id ?? 0);
    requireRoomFor(requests.length, { existing, limit: config.channelLimits.organization });
    await countNewChannels(this.#services, this.#caller, requests.length);
    const lastId = await table.increment(counter, 'id', requests.length);
    for (const [n, { name }] of requests.entries()) this.#ids.set(name, lastId - requests.length + 1 + n);
  }

  async #describe({ name, description }: ChannelRequest): Promise<Channel> {
    const { clock, table } = this.#services;
    const text = toDescription(description);
    return createChannel(
      {
        channelId: this.#ids.get(name) ?? 0,
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
