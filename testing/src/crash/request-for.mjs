import { createHash } from "node:crypto";

/** A question that costs ε = 1/per. */
export function requestFor(id, per) {
  return {
    principal: "owner",
    requestId: id,
    requestHash: createHash("sha256").update(id).digest("hex"),
    loss: { measure: "pure", epsilon: { num: 1n, den: BigInt(per) } },
    event: { kind: "laplace", version: 1, scale: String(per), l1: "1" },
    text: `SELECT ${id}`,
  };
}
