/** A warning for the owner of a policy that is valid but promises little. */
export interface PolicyWarning {
  /** The place in the policy, as a path. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}
