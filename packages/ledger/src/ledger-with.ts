import type { Ledger } from "./ledger.ts";

/**
 * Returns a ledger that does some things in another way, and the rest as it did: for what stands between whoever asks and the account, such as a cap. Its charges are those of `ledger`.
 * @example ledgerWith(ledger, { reserve: () => Promise.reject(refusal) })
 */
export function ledgerWith(ledger: Ledger, ways: Partial<Ledger>): Ledger {
  return new Proxy(ledger, {
    get(of, name) {
      const other: unknown = Reflect.get(ways, name, ways);
      if (other !== undefined) return other;
      const member: unknown = Reflect.get(of, name, of);
      return typeof member === "function" ? member.bind(of) : member;
    },
  });
}
