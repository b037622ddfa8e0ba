import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

/** IAM takes managed policies of at most this many characters, white space excluded. */
const POLICY_CHARACTERS = 6_144;
/** The statement around the ARNs. */
const FRAME_CHARACTERS = 200;
/** `arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:` and what separates two ARNs, with some space. */
const ARN_CHARACTERS = 70;

/** A function by its full name, and by its ARN, of which only AWS knows all parts. */
export interface NamedFunction {
  functionName: string;
  arn: string;
}

/**
 * The permission to invoke certain functions and no others. Their ARNs do not fit into one policy, so there are
 * several; a role takes ten.
 */
export class InvokePolicies extends Construct {
  readonly policies: ManagedPolicy[];

  constructor(scope: Construct, id: string, functions: NamedFunction[]) {
    super(scope, id);
    this.policies = packByLength(functions).map(
      (resources, index) =>
        new ManagedPolicy(this, String(index), {
          statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources })],
        }),
    );
  }
}

function packByLength(functions: NamedFunction[]): string[][] {
  const packs: string[][] = [];
  let room = 0;
  for (const { functionName, arn } of functions) {
    const needed = ARN_CHARACTERS + functionName.length;
    if (needed > room) {
      packs.push([]);
      room = POLICY_CHARACTERS - FRAME_CHARACTERS;
    }
    packs.at(-1)?.push(arn);
    room -= needed;
  }
  return packs;
}
