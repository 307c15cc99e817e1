/** A group key's part. Integers travel as bigint so that no key is rounded. */
export type KeyValue = string | number | bigint | boolean | null;

/** The result that an engine returns for a compiled plan: integers only, one row for each group. */
export interface ExactRows {
  readonly groups: readonly ExactGroup[];
}
export interface ExactGroup {
  readonly key: readonly KeyValue[];
  /** Number of privacy units in the group (after bounding). Needed for private keys; 0n otherwise. */
  readonly units: bigint;
  /** One integer a sum column of the compiled plan. */
  readonly sums: readonly bigint[];
}
