import type { BitSource } from "../../entropy/bit-source.ts";
import type { EventOf } from "../../events/event.ts";
import type { Rational } from "../../numeric/rational.ts";
import type { AggregateRequest, Frequencies } from "./frequencies.ts";

/**
 * A local mechanism: every unit randomizes its own value (one of 0 … options − 1) before it leaves the device, and whoever
 * collects the reports learns frequencies alone. Make the same one on both sides from {@link parameters}.
 */
export interface LocalMechanism<Report, Parameters> {
  /** The parameters that both sides must agree on; plain data, probabilities as exact texts. */
  readonly parameters: Parameters;
  /** The number of possible values. */
  readonly options: number;
  /** The price of one report; neighbours differ in the value of one unit (replace-one). */
  readonly event: EventOf<"finite-pair">;
  /** An ε that one report provably does not exceed. */
  readonly epsilon: Rational;
  /**
   * The report of one unit. Every value asks for the same coins in the same order.
   * Errors: parameter.invalid unless value is one of 0 … options − 1.
   */
  respond(value: number, bits: BitSource): Report;
  /**
   * Unbiased shares of every option with intervals. Errors: parameter.invalid for a report that the mechanism cannot
   * have made, none at all, more than 2^40, or a confidence outside (0, 1 − 1e-12].
   */
  aggregate(reports: Iterable<Report>, request?: AggregateRequest): Frequencies;
  /** Returns what {@link aggregate} does, from the number of reports that support each option. */
  aggregateCounts(supporting: readonly number[], reports: number, request?: AggregateRequest): Frequencies;
}
