import { createHash } from 'node:crypto';
import { Stack } from 'aws-cdk-lib';
import {
  type IManagedPolicy,
  type IRole,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

const DIGEST_LETTERS = 12;

/**
 * The roles of a stack's functions. Functions with the same policy share a role, which is named after the digest of
 * the policy: a function whose policy changes moves to another role, and no other function gains or loses anything.
 */
export class FunctionRoles extends Construct {
  readonly #roles = new Map<string, IRole>();

  /** The role that grants exactly these statements, besides the managed policies. */
  roleFor(statements: PolicyStatement[], managedPolicies: IManagedPolicy[] = []): IRole {
    const policy = [
      ...statements.map((statement) => statement.toStatementJson()),
      ...managedPolicies.map(arnOf),
    ];
    const digest = createHash('sha256')
      .update(JSON.stringify(Stack.of(this).resolve(policy)))
      .digest('hex')
      .slice(0, DIGEST_LETTERS);
    const known = this.#roles.get(digest);
    if (known) return known;
    const role = new Role(this, digest, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { uses: new PolicyDocument({ statements }) },
      managedPolicies,
      // Constructs that use a function would otherwise widen its role.
    }).withoutPolicyUpdates();
    this.#roles.set(digest, role);
    return role;
  }
}

const arnOf = ({ managedPolicyArn }: IManagedPolicy): string => managedPolicyArn;
