/** Words for the owner about a policy that is valid but promises little. */
export interface PolicyWarning {
  /** Where in the policy, as a path. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}
