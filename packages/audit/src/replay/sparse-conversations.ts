import { invalidParameter, LetheError, parseRational } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import {
  openSparseVector,
  type SparseVector,
  type SparseVectorQuestion,
  type SparseVectorSetting,
  sparseVectorEvent,
  sparseVectorFor,
} from "@lethe/core/mechanisms";
import type { MechanismCall } from "./recorded-call.ts";

/** A sparse vector for values that a person moves by at most `sensitivity`, paid for at its opening. ε and share are exact texts. */
export interface SparseRequest {
  readonly epsilon: string;
  readonly sensitivity: bigint;
  /** Answers "above" that are paid for. */
  readonly cap: bigint;
  /** The part of ε for a noisy number beside each "above"; none unless stated. */
  readonly numberShare?: string;
}

interface Opened {
  readonly setting: SparseVectorSetting;
  left: bigint;
  /** Null in a replay, which draws nothing. */
  vector: SparseVector | null;
}

/** The sparse vectors that one run has opened, by number. What is left of each follows from the answers, drawn or frozen. */
export class SparseConversations {
  readonly #opened: Opened[] = [];

  open({ epsilon, sensitivity, cap, numberShare = "0" }: SparseRequest): MechanismCall {
    const setting = sparseVectorFor({
      epsilon: parseRational(epsilon),
      sensitivity,
      cap,
      monotone: false,
      numberShare: parseRational(numberShare),
    });
    const at = this.#opened.length;
    const opened: Opened = { setting, left: cap, vector: null };
    this.#opened.push(opened);
    return {
      mechanism: "sparse-vector",
      parameters: canonicalJson({ at, ...setting }),
      event: sparseVectorEvent(setting),
      inputs: [],
      limits: {},
      draw(bits) {
        opened.vector = openSparseVector(setting, bits);
        return at;
      },
    };
  }

  /** Errors: parameter.invalid where nothing was opened under this number; mechanism.spent. */
  ask(at: number, { value, threshold = 0n, number = value }: SparseVectorQuestion): MechanismCall {
    const opened = this.#opened[at];
    if (opened === undefined) throw invalidParameter("sparse vector", at, "one that was opened");
    if (opened.left === 0n) {
      throw new LetheError(
        "mechanism.spent",
        `the sparse vector has answered "above" as often as was paid for`,
        {
          fix: "open another, or a larger cap",
        },
      );
    }
    if (![value, threshold, number].every((each) => typeof each === "bigint")) {
      throw invalidParameter("question", "others", "integers (bigint)");
    }
    return {
      mechanism: "sparse-vector answer",
      parameters: canonicalJson({ at, threshold }),
      event: { kind: "constant", version: 1 },
      inputs: opened.setting.numberEpsilon === "0" ? [value] : [value, number],
      limits: { max: opened.setting.sensitivity },
      draw() {
        if (opened.vector === null) {
          throw new LetheError("internal.invariant", "a sparse vector was asked before it was drawn", {
            fix: "report this as a defect",
          });
        }
        return opened.vector.ask({ value, threshold, number });
      },
      answered(output) {
        if ((output as { readonly above: boolean }).above) opened.left -= 1n;
      },
    };
  }
}
