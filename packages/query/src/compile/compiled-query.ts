declare const compiled: unique symbol;

/**
 * Engine SQL made from a plan, and nothing else: only ./compile.ts can construct one, so text of a user never reaches
 * an engine. Result columns, in order: k0 … (keys), units, s0 … (sums).
 */
export interface CompiledQuery {
  readonly [compiled]: true;
  readonly dialect: string;
  readonly sql: string;
  readonly keys: number;
  /** Which of the keys are texts, by the plan: where an engine reads those otherwise, it need not ask the database first. */
  readonly textKeys?: readonly number[];
  readonly sums: number;
  /** The statement has one parameter, $1: the secret seed of the keyed hash (text). */
  readonly needsSeed: boolean;
}

/** For ./compile.ts alone. */
export function brandCompiled(query: Omit<CompiledQuery, typeof compiled>): CompiledQuery {
  return query as CompiledQuery;
}
