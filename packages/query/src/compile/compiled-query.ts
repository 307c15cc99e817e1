declare const compiled: unique symbol;

/**
 * Engine SQL made from a plan, and nothing else: only ./compile-plan.ts and ./compile-trees.ts make one, so text of a user never reaches
 * an engine. Result columns, in order: k0 … (keys), units, s0 … (sums).
 */
export interface CompiledQuery {
  readonly [compiled]: true;
  readonly dialect: string;
  readonly sql: string;
  readonly keys: number;
  /** The places of the keys that are texts, by the plan: an engine that reads texts in another way need not ask the database first. */
  readonly textKeys?: readonly number[];
  readonly sums: number;
  /** Whether the statement has one parameter, $1: the secret seed of the keyed hash (text). */
  readonly needsSeed: boolean;
}

/** Makes a compiled query. For ./compile-plan.ts and ./compile-trees.ts alone. */
export function brandCompiled(query: Omit<CompiledQuery, typeof compiled>): CompiledQuery {
  return query as CompiledQuery;
}
