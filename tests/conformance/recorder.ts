import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Item, Write } from '#shared/table/table.ts';

type Use =
  | 'table read'
  | 'table write'
  | 'scheduler'
  | 'bus'
  | 'mail'
  | 'files read'
  | 'files write'
  | 'images'
  | 'secret';

/** The calls of a handler to its services. */
export interface Recording {
  services: Services;
  used: Set<Use>;
  /** Types of the events that were put into the log, as `type` or `type/op`. */
  emitted: Set<string>;
}

/** The services of a test, with a note taken of every use. Jobs are kept from the workers. */
export function record(services: Services): Recording {
  const used: Recording['used'] = new Set();
  const emitted: Recording['emitted'] = new Set();
  const table = noting(services.table, (verb, given) => {
    const isWrite = ['write', 'transact', 'increment'].includes(verb);
    used.add(isWrite ? 'table write' : 'table read');
    if (verb === 'write' || verb === 'transact')
      for (const write of [given[0] as Write | Write[]].flat())
        if (write.kind === 'put') noteEntry(emitted, write.item);
  });
  const scheduler = noting(services.scheduler, () => used.add('scheduler'));
  const bus = noting({ publish: async () => {}, wakeNotifier: async () => {} }, () => used.add('bus'));
  const mail = noting({ send: async () => 'sent' as const }, () => used.add('mail'));
  const files = noting(services.files, (verb) =>
    used.add(verb === 'find' || verb === 'downloadUrl' ? 'files read' : 'files write'),
  );
  const images = noting(services.images, () => used.add('images'));
  const { secret } = noting({ secret: services.secret }, () => used.add('secret'));
  return { used, emitted, services: { ...services, table, scheduler, bus, mail, files, images, secret } };
}

/** The same object, but every call of a method is noted first. */
const noting = <Target extends object>(
  target: Target,
  note: (method: string, parameters: unknown[]) => void,
): Target =>
  new Proxy(target, {
    get(_target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...parameters: unknown[]) => {
        note(String(name), parameters);
        return method.apply(target, parameters);
      };
    },
  });

function noteEntry(emitted: Set<string>, item: Item): void {
  if (!String(item.pk).startsWith('LOG#')) return;
  if (item.message) emitted.add('message');
  for (const { payload } of (item.events ?? []) as LogEvent[])
    emitted.add(payload.op === undefined ? payload.type : `${payload.type}/${payload.op}`);
}
