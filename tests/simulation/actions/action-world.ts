import { endpoints } from '#functions/routes.ts';
import { requireAllowed } from '#shared/api/auth/access.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { UploadedFile } from '#shared/api/files/uploads.ts';
import { type Parameters, readParameters, type ValuesOf } from '#shared/api/parameters.ts';
import { UserDeactivated } from '#shared/domain/errors.ts';
import { type Account, asOf } from '#shared/domain/users/user.ts';
import { withFreshState } from '#shared/log/commit.ts';
import type { Config } from '#shared/runtime/config.ts';
import type { Images, MailMessage, Services } from '#shared/runtime/services.ts';
import { getAccount } from '#shared/store/users/users.ts';
import { JWT_KEY } from '#tests/harness/json-web-token.ts';
import { addressKeyOf, keyOf, resetKeyOf } from '#tests/harness/mails.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import { textsOf } from '#tests/simulation/people/requests.ts';
import type { Outcome, Process } from '#tests/simulation/process.ts';
import type { CallKind } from '#tests/simulation/tables/faults.ts';
import { contextOf, type Operation, World } from '#tests/simulation/world.ts';
import type { OperationName, Params } from './action.ts';

const SHARE_OF_DEAD_TOKENS = 0.2;

/** There is much to do here, so that polls look less often; and passwords cost little. */
const PATIENT: Partial<Config> = {
  pollHoldMs: 1_500,
  lookSchedule: [
    { fromAgeMs: 0, everyMs: 200 },
    { fromAgeMs: 400, everyMs: 500 },
  ],
  retentionPauseSeconds: 0,
  mailSender: 'chat@example.com',
  jwtKey: JWT_KEY,
  passwordCost: { memoryKib: 8, passes: 1, lanes: 1 },
};

/** A world in which roles change and people come and go: who calls is looked up for each request, as behind the gateway. */
export class ActionWorld extends World {
  /** The keys that were mailed to anybody. */
  readonly mailedKeys: { to: string; key: string }[] = [];
  readonly mailedResetKeys: string[] = [];
  readonly mailedAddressKeys: { to: string; key: string }[] = [];

  override request<P extends Parameters, Result>(
    caller: Account,
    operation: Operation<P, Result>,
    params: ValuesOf<P>,
  ): Promise<Outcome<Result>> {
    const endpoint = operation as unknown as AnyEndpoint;
    return this.invoke(`${caller.fullName} ${operation.route}`, async (services) => {
      const account = await admit(services, caller, endpoint);
      return withFreshState(services, () =>
        operation.handle(params, { ...contextOf(services, { ...account }), files: [] }),
      );
    });
  }

  /** Calls an operation with parameters as a client sends them, in a process of its own. */
  query(
    caller: Account,
    name: OperationName,
    params: Params,
    files: UploadedFile[] = [],
  ): Promise<Outcome<SnapshotData>> {
    return this.invoke(`${caller.fullName} ${endpoints[name].route}`, (services) =>
      callOperation(services, caller, name, params, files),
    );
  }

  override services(process?: Process): Services {
    const services = super.services(process);
    const take = <Result>(kind: CallKind, what: string, run: () => Promise<Result>): Promise<Result> =>
      process ? this.simulation.call(process, { kind, what, run }) : run();
    return {
      ...services,
      images: sameImages,
      mail: {
        send: (message) => take('hint', 'send mail', async () => this.#deliver(message)),
      },
      relay: {
        register: () => take('hint', 'register with the relay', async () => {}),
        notify: (_realm, requests) =>
          take('hint', 'notify by the relay', async () =>
            requests.map(({ token_id: id }) => id).filter(() => this.random.chance(SHARE_OF_DEAD_TOKENS)),
          ),
      },
      config: { ...services.config, ...PATIENT },
    };
  }

  #deliver({ to, text }: MailMessage): 'sent' {
    const key = keyOf(text);
    if (key !== undefined) this.mailedKeys.push({ to, key });
    const resetKey = resetKeyOf(text);
    if (resetKey !== undefined) this.mailedResetKeys.push(resetKey);
    const addressKey = addressKeyOf(text);
    if (addressKey !== undefined) this.mailedAddressKeys.push({ to, key: addressKey });
    return 'sent';
  }
}

/** The answer of an operation to a caller, who is looked up as behind the gateway. */
export async function callOperation(
  services: Services,
  caller: Account,
  name: OperationName,
  params: Params,
  files: UploadedFile[] = [],
): Promise<SnapshotData> {
  const endpoint = endpoints[name] as AnyEndpoint;
  const isAnonymous = endpoint.allow === 'anyone';
  const account = isAnonymous ? undefined : await admit(services, caller, endpoint);
  const values: ValuesOf<Parameters> = readParameters(endpoint.params, textsOf(params));
  return withFreshState(services, () =>
    endpoint.handle(values, {
      ...contextOf(services, caller),
      caller: account && { ...account },
      files,
      piece: PIECE,
    }),
  );
}

/** The account of the caller, as it is now. @throws UserDeactivated, or the refusal of an endpoint that is not for the caller */
export async function admit(services: Services, caller: Account, endpoint: AnyEndpoint): Promise<Account> {
  const account = await getAccount(services.table, caller.userId);
  if (!account.isActive) throw new UserDeactivated();
  requireAllowed(endpoint, account);
  return asOf(account, Math.floor(services.clock.nowMs() / 1000));
}

/** The contents of pictures do not matter here. */
/** One piece of a file. */
const PIECE = Uint8Array.of(1);
const sameImages: Images = {
  shrink: async (bytes, shapes) => ({
    width: 1,
    height: 1,
    pictures: shapes.map(() => ({ bytes, format: 'png' as const })),
  }),
};
