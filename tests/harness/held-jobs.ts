import type { JobNotice } from '#shared/runtime/services.ts';
import type { TestService } from './service.ts';

/** Holds back the notices of jobs, like a slow bus; returns a function that delivers them and waits for the jobs. */
export function holdJobs({ services: { bus } }: TestService): () => Promise<void> {
  const publish = bus.publish.bind(bus);
  const held: JobNotice[] = [];
  bus.publish = async (notices) => {
    held.push(...notices);
  };
  return async () => {
    bus.publish = publish;
    await publish(held);
    await bus.drain();
  };
}
