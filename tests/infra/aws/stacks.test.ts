/** All tests of the stacks, in one file: they are synthesized once for all of it, and by one worker. */
import './api.ts';
import './background.ts';
import './border.ts';
import './functions.ts';
import './options.ts';
import './partitions.ts';
import './privilege.ts';
import './room.ts';
import './stacks.ts';
import './provisioned.ts';
import './upgrade.ts';
import './values.ts';
import './watching.ts';
import './wiring.ts';
