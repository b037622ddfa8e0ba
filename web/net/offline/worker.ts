/** The service worker of this client: see `web/worker/service-worker.ts`. */
const ADDRESS = '/sw.js';

/** The browser's registry of Trusted Types policies. */
interface PolicyMaker {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): unknown;
  };
}

/** The address of the worker's script, as a page with Trusted Types may use it. */
function scriptAddress(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyMaker };
  if (!trustedTypes) return ADDRESS;
  const policy = trustedTypes.createPolicy('service-worker', { createScriptURL: () => ADDRESS });
  return policy.createScriptURL(ADDRESS) as string;
}

/** Undefined if the browser has none, or refuses. */
async function registrationOfPage(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await navigator.serviceWorker.getRegistration();
  } catch {
    return undefined;
  }
}

/** Installs the worker, which a browser may refuse: the client works without it. */
export async function installWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register(scriptAddress(), { updateViaCache: 'none' });
  } catch (failure) {
    console.info('This browser does not open the client without network.', failure);
  }
}

/** Lets the browser look whether the service has another version of the worker. */
export async function updateWorker(): Promise<void> {
  const registration = await registrationOfPage();
  await registration?.update().catch(() => undefined);
}

/** Takes the worker away, and the files that it kept. */
export async function removeWorker(): Promise<void> {
  const registration = await registrationOfPage();
  await registration?.unregister();
  try {
    for (const name of await caches.keys()) await caches.delete(name);
  } catch {
    // A browser that keeps nothing has nothing to remove.
  }
}
