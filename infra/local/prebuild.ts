import { readCommandLine } from '../command-line.ts';
import { ensureWebBuilt } from '../web/ensure-built.ts';
import { ensureLocalBuilt } from './ensure-built.ts';

const HELP = `Usage: npm run build:local

Builds the service and the web client in advance, for starts that may not write: a container, or a systemd unit.

Options:
  --help             print this text

Example:
  npm run build:local`;

readCommandLine(HELP);
await Promise.all([ensureLocalBuilt(), ensureWebBuilt()]);
