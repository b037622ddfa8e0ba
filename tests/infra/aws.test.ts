/** What is said of the stacks, in one file: they are synthesized once for all of it, and by one worker. */
import './aws-api.ts';
import './aws-background.ts';
import './aws-border.ts';
import './aws-exports.ts';
import './aws-functions.ts';
import './aws-options.ts';
import './aws-privilege.ts';
import './aws-stacks.ts';
