import { canonicalJson, sha256 } from "@lethe/core/canonical";
import type { Policy } from "./policy.ts";

/**
 * sha256 (hex) of all that gives an answer its meaning: privacy unit, adjacency, tables with their source, columns and
 * contribution bounds. Left out: the budget and its analysts (the ledger keeps those), the place of the
 * ledger's head, the defaults (every event states its own price) and expected_rows (used by explain and lint alone).
 * Comments and the order of keys do not count.
 */
export function policyHash(policy: Policy): string {
  const tables = Object.entries(policy.tables).map(
    ([name, { expectedRows: _, key, trusted, contribution, ...table }]) => {
      const { limit, ...most } = contribution;
      return [
        name,
        {
          ...table,
          // The older word of the policy stays in its hash.
          contribution: { ...most, bound: limit },
          // Policies from before there were keys, or anything to trust, keep their hash.
          ...(key === null ? {} : { key }),
          ...(trusted ? { trusted } : {}),
        },
      ] as const;
    },
  );
  return sha256(
    canonicalJson({
      version: policy.version,
      privacyUnit: policy.privacyUnit,
      // Which server it is, is the environment's word; policies over files keep their hash.
      ...(policy.database === null ? {} : { database: policy.database.kind }),
      tables: Object.fromEntries(tables),
      // In their order, since each knows those before it. Policies without views keep their hash.
      ...(Object.keys(policy.views).length === 0 ? {} : { views: Object.entries(policy.views) }),
    }),
  );
}
