import type { JobNotice } from '#shared/runtime/services.ts';
import type { TestService } from './service.ts';

/** Keeps back the notices of jobs, as a slow bus does; returns what hands them over and waits for the jobs. */
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
