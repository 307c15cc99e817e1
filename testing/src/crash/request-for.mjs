import { createHash } from "node:crypto";

/** A question that costs ε = parts/per. */
export function requestFor(id, per, parts = 1) {
  return {
    principal: "owner",
    requestId: id,
    requestHash: createHash("sha256").update(id).digest("hex"),
    loss: { measure: "pure", epsilon: { num: BigInt(parts), den: BigInt(per) } },
    event: { kind: "laplace", version: 1, scale: String(per), l1: String(parts) },
    text: `SELECT ${id}`,
  };
}
