import type { PlannedAggregate } from "./plan.ts";

/** The indices of the measurements that an answer is made of. */
export function measurementsOf(aggregate: PlannedAggregate): readonly number[] {
  switch (aggregate.kind) {
    case "count":
      return [aggregate.count];
    case "sum":
      return [aggregate.sum];
    case "avg":
      return [aggregate.sum, aggregate.count];
    case "covariance":
      return [aggregate.products, aggregate.sum, aggregate.otherSum, aggregate.count];
    case "variance":
    case "stddev":
      return [aggregate.squares, aggregate.sum, aggregate.count];
    case "quantile":
      return [];
  }
}
