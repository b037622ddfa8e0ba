/** The bundles as they run on Lambda, in one file: they are built and deployed once for all of it. */
import { startDeployment } from './deployment.ts';

await startDeployment();
await import('./together.ts');
await import('./sockets.ts');
await import('./endings.ts');
await import('./addresses.ts');
// Last, because samples change the organization.
await import('./each-function.ts');
