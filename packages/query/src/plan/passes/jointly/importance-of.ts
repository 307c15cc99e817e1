import { elementAt } from "@lethe/core/numeric";
import { familyOf } from "../../../aggregates/family-of.ts";
import { byName } from "../../../refusals/by-name.ts";
import type { NamedAggregate } from "../../plan.ts";
import type { DerivedQuestion } from "../derive-sensitivity.ts";
import { importances } from "../importance.ts";
import type { Cells } from "./cells.ts";

/** The share of the way from the middle to a bound at which averages are weighed, as by a measurer. */
const halfWay = 1 / 2;

/**
 * Returns the weight of the cells' error in the answers, squared, in units of the most that a unit changes a cell. As for every measurement, an
 * answer by itself, its price split over its own totals as well as can be, has a squared error of 1. `asked` measures every total by itself.
 */
export function importanceOf(asked: DerivedQuestion, { read, whole, members }: Cells, most: bigint): number {
  const coefficientsOf = new Map(
    read.map(({ total, coefficients }) => [total.measurement.name, coefficients]),
  );
  return asked.aggregates.reduce((sum, aggregate) => {
    const slopes = familyOf(aggregate).slopes?.(aggregate, halfWay) ?? [];
    const ofCells = members.map((_, at) =>
      slopes.reduce(
        (total, [name, slope]) => total + slope * Number(coefficientsOf.get(name)?.[at] ?? 0n),
        0,
      ),
    );
    const square = ofCells.reduce(
      (total, weight) => total + (weight * (Number(most) / Number(whole))) ** 2,
      0,
    );
    return square === 0 ? sum : sum + square / squareAlone(asked, aggregate);
  }, 0);
}

/** Returns the squared error of an answer that has a price of 1 to itself, its totals measured one by one, in the units of its slopes. */
function squareAlone(asked: DerivedQuestion, aggregate: NamedAggregate): number {
  const squares = (familyOf(aggregate).slopes?.(aggregate, halfWay) ?? []).map(
    ([name, slope]) => (slope * Number(byName(asked.measurements, name).magnitude)) ** 2,
  );
  const at = squares.findIndex((square) => square > 0);
  if (at < 0) return 1;
  return elementAt(squares, at) / elementAt(importances(asked.policy.budget.measure, squares), at);
}
