import { invalidParameter, ratio, toText } from "@lethe/core";
import { type TableSessionSetting, tableSensitivity, tableSessionEvent } from "@lethe/core/mechanisms";
import { checkedDomain, sizesOf } from "../domain/index.ts";
import {
  eachStage,
  type SynthesisPlan,
  type SynthesisRequest,
  sessionTotal,
  targetOf,
} from "../plan/index.ts";
import { demandFit } from "./demand-fit.ts";
import { methods } from "./methods.ts";

const defaultModelBytes = 80_000_000;

/**
 * Plans a synthesis: MST measures every attribute, then the pairs of a tree that it chooses; AIM measures what its model knows worst, round by round, and
 * spends as its answers tell. A target's tables with each other column are measured besides, or weigh more. The event is that of the whole, whatever the answers turn out to be. Proof: ./plan-synthesis.proof.md
 * Source: McKenna, Miklau & Sheldon 2021 (arXiv 2108.04978); McKenna, Mullins, Sheldon & Miklau 2022 (arXiv 2201.12677).
 * Errors: parameter.invalid for a broken domain, target, budget or cap; model.invalid where no model fits the cap.
 * @example planSynthesis({ method: "mst", domain, adjacency: "add-or-remove-one", budget }).stages.map(({ kind }) => kind)
 * // => ["measure-each", "choose-tree", "measure-chosen"]
 */
export function planSynthesis(request: SynthesisRequest): SynthesisPlan {
  const { method, adjacency, rowsPerUnit = 1, modelBytes: cap = defaultModelBytes } = request;
  const domain = checkedDomain(request.domain);
  if (!Object.hasOwn(methods, method))
    throw invalidParameter("method", method, Object.keys(methods).join(", "));
  if (!(Number.isFinite(cap) && cap > 0)) throw invalidParameter("modelBytes", cap, "a number of bytes > 0");
  const sizes = sizesOf(domain);
  const target = targetOf(request);
  if (request.target !== undefined && (target === null || sizes.length === 1))
    throw invalidParameter("target", request.target, "one of two columns or more");
  demandFit({ method, domain, target, cap });
  const { measure, total } = sessionTotal(request.budget);
  const setting: TableSessionSetting = { measure, total: toText(total), adjacency, rowsPerUnit };
  const { l2Squared } = tableSensitivity(adjacency, rowsPerUnit);
  const parts = { measure, total, l2Squared, sizes, target };
  return {
    version: 1,
    method,
    domain,
    ...(request.target === undefined ? {} : { target: request.target }),
    session: { measure, total: toText(total), adjacency, rowsPerUnit: rowsPerUnit.toString() },
    event: tableSessionEvent(setting),
    stages: sizes.length === 1 ? [eachStage(parts, ratio(1n))] : methods[method].stages(parts),
    modelBytes: cap,
  };
}
