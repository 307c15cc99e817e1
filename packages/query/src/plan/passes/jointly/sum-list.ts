import type { SumColumn } from "../../../aggregates/kinds.ts";
import { freeName } from "../../../refusals/by-name.ts";
import type { NamedSum } from "../../plan.ts";
import { sumText } from "../measurement-builder.ts";

/** The sums of a plan, of which each is named once. */
export class SumList {
  readonly #named: Map<string, NamedSum>;

  constructor(sums: readonly NamedSum[]) {
    this.#named = new Map(sums.map(({ name, ...sum }) => [JSON.stringify(sum), { name, ...sum }]));
  }

  get all(): readonly NamedSum[] {
    return [...this.#named.values()];
  }

  nameOf(sum: SumColumn): string {
    const wanted = JSON.stringify(sum);
    const known = this.#named.get(wanted);
    if (known) return known.name;
    const name = freeName(sumText(sum), this.all);
    this.#named.set(wanted, { name, ...sum });
    return name;
  }
}
