import type { SumColumn } from "../../../aggregates/kinds.ts";
import { freeName } from "../../../refusals/by-name.ts";
import type { NamedSum } from "../../plan.ts";
import { sumText } from "../measurement-builder.ts";
import { membersOf } from "./json-of.ts";

/** The sums of a plan, of which each is named once. */
export class SumList {
  readonly #all: NamedSum[];
  /** Names by what is summed; made when it is first asked for. */
  #names: Map<string, string> | null = null;

  constructor(sums: readonly NamedSum[]) {
    this.#all = [...sums];
  }

  get all(): readonly NamedSum[] {
    return this.#all;
  }

  /** Returns the name of a sum, which it gets if it has none. */
  nameOf(sum: SumColumn | NamedSum): string {
    if ("name" in sum && this.#all.includes(sum)) return sum.name;
    this.#names ??= new Map(this.#all.map(({ name, ...each }) => [membersOf(each), name]));
    const wanted = membersOf(sum);
    const known = this.#names.get(wanted);
    if (known !== undefined) return known;
    const name = freeName(sumText(sum), this.#all);
    this.#names.set(wanted, name);
    this.#all.push({ name, ...sum });
    return name;
  }
}
