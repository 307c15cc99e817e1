import type { OwnersWords, WrittenWords } from "../../model/owners-words.ts";
import type { Domain } from "../domain/index.ts";
import type { SynthesisMethod } from "../plan/index.ts";

/** A synthetic table that was checked against a policy: which rows, which columns with which values, and how. JSON throughout. */
export interface SynthesisSpec extends OwnersWords {
  readonly version: 1;
  /** The table or view of the policy. */
  readonly source: string;
  /** The condition on its rows, as SQL; null for all. */
  readonly where: string | null;
  readonly domain: Domain;
  /** The column that others are to predict; left out where none is declared. */
  readonly target?: string;
  readonly method: SynthesisMethod;
  /** The cap of the model, in bytes. */
  readonly modelBytes: number;
  /** Columns of the table that are not in the synthetic one, since nothing public bounds their values. Empty where columns are named. */
  readonly leftOut: readonly string[];
}

/** The same as it is written in YAML. */
export interface SynthesisFile extends WrittenWords {
  readonly version: 1;
  readonly table?: string | undefined;
  readonly from?: string | undefined;
  readonly where?: string | undefined;
  readonly columns?: string[] | undefined;
  readonly target?: string | undefined;
  readonly bins?: number | Readonly<Record<string, number>> | undefined;
  readonly method: SynthesisMethod;
  readonly model_mb?: number | undefined;
}
