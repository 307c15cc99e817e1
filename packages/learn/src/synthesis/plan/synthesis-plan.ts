import type { Adjacency, Event } from "@lethe/core";
import type { SessionMeasure } from "@lethe/core/mechanisms";
import type { Domain } from "../domain/index.ts";
import type { SynthesisBudget } from "./shares.ts";
import type { Stage } from "./stage.ts";

/**
 * MST and AIM choose what to measure, and fit a model of the joint; residuals measures all pairs, and AIM+GReM chooses pairs: these reconstruct each from all that overlap it.
 */
export type SynthesisMethod = "mst" | "aim" | "residuals" | "aim-grem";

/** All of a synthesis that is public: plain data, JSON throughout, made before a row is read. */
export interface SynthesisPlan {
  readonly version: 1;
  readonly method: SynthesisMethod;
  readonly domain: Domain;
  /** The column that others are to predict, of those of the domain; left out where none is declared. */
  readonly target?: string;
  /** Exact texts. The stages draw through one session of this total, and cannot pass it. */
  readonly session: {
    readonly measure: SessionMeasure;
    readonly total: string;
    readonly adjacency: Adjacency;
    readonly rowsPerUnit: string;
  };
  /** The record to charge: of the whole session. */
  readonly event: Event;
  readonly stages: readonly Stage[];
  /** The cap of the model, in bytes. */
  readonly modelBytes: number;
}

/** What a synthesis is asked to be. */
export interface SynthesisRequest {
  readonly method: SynthesisMethod;
  readonly domain: Domain;
  /** The column that others are to predict: its tables with each of them are measured, or weigh more. */
  readonly target?: string;
  readonly adjacency: Adjacency;
  /** The most rows of one unit; they are limited to it before they are counted. */
  readonly rowsPerUnit?: number;
  readonly budget: SynthesisBudget;
  /** The most bytes of the model; 80 MB unless stated. */
  readonly modelBytes?: number;
}

/** Returns the place of a plan's target; null where it has none. */
export function targetOf({ domain, target }: Pick<SynthesisPlan, "domain" | "target">): number | null {
  const at = domain.findIndex(({ name }) => name === target);
  return at < 0 ? null : at;
}
