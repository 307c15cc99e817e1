import { checkDelta, checkEpsilon } from "../conversions/search/checks.ts";
import { checkTypeOne } from "../conversions/tradeoff.ts";
import { LetheError } from "../errors/lethe-error.ts";
import type { RepresentationId } from "../losses/loss-algebra.ts";
import type { Aim } from "../losses/measures/aim.ts";
import type { Bounds, PrivacyCurve } from "../losses/measures/privacy-curve.ts";

/** A curve that is made when it is first asked; null where no theorem reaches the event in this representation. */
export interface Source {
  readonly id: RepresentationId;
  curve(): PrivacyCurve | null;
}

interface Question {
  /** The claim is the upper end for δ and ε, the lower one for a trade-off; the other end only says how good it is. */
  ask(curve: PrivacyCurve): Bounds;
  /** Ends that say nothing. */
  readonly least: number;
  readonly most: number;
  /** Whether an interval is narrow enough not to ask on. */
  enough(bounds: Bounds): boolean;
}

/** The intersection of what all sources prove, asked in their order and no longer than needed. */
function answer(sources: readonly Source[], question: Question, refuse: () => LetheError): Bounds {
  let best: Bounds = {
    lower: question.least,
    upper: question.most,
    provenance: { lower: "trivial", upper: "trivial" },
  };
  let answered = false;
  for (const source of sources) {
    const curve = source.curve();
    if (curve === null) continue;
    answered = true;
    const next = question.ask(curve);
    if (!(next.lower <= next.upper)) throw contradiction(source.id, next);
    best = {
      lower: Math.max(best.lower, next.lower),
      upper: Math.min(best.upper, next.upper),
      provenance: {
        lower: next.lower > best.lower ? next.provenance.lower : best.provenance.lower,
        upper: next.upper < best.upper ? next.provenance.upper : best.provenance.upper,
      },
    };
    if (!(best.lower <= best.upper)) throw contradiction(source.id, best);
    if (question.enough(best)) break;
  }
  if (!answered) throw refuse();
  return best;
}

/** Two proofs that exclude each other: one of them is not one. */
function contradiction(id: RepresentationId, { lower, upper }: Bounds): LetheError {
  return new LetheError("internal.invariant", `no number is both ≥ ${lower} and ≤ ${upper} (${id})`, {
    fix: "report this with the event: two proofs contradict each other",
  });
}

/**
 * The tightest sound answer of several representations: the least of the uppers, the greatest of the lowers. Later sources are asked only
 * while the interval is wider than `aim` seeks for an ε, 10⁻³ for a δ (relative), 10⁻⁴ for a trade-off (absolute).
 * Errors of each question: parameter.invalid outside its domain; `refuse()` where no source has a theorem; internal.invariant where
 * two contradict each other.
 */
export function tightestCurve(sources: readonly Source[], aim: Aim, refuse: () => LetheError): PrivacyCurve {
  return {
    epsilon(delta) {
      checkDelta(delta);
      const bounds = answer(
        sources,
        {
          ask: (curve) => curve.epsilon(delta),
          least: 0,
          most: Number.POSITIVE_INFINITY,
          enough: ({ lower, upper }) => upper - lower <= aim.sought(upper),
        },
        refuse,
      );
      // An upper end of ∞ misses whatever was asked: of it an accuracy relative to ε would be ∞ too.
      const asked = aim.asked(Number.isFinite(bounds.upper) ? bounds.upper : bounds.lower);
      // Two infinite ends leave nothing open.
      const narrow = bounds.lower === bounds.upper || bounds.upper - bounds.lower <= asked;
      return narrow ? bounds : { ...bounds, missed: asked };
    },
    delta(epsilon) {
      checkEpsilon(epsilon);
      return answer(
        sources,
        {
          ask: (curve) => curve.delta(epsilon),
          least: 0,
          most: 1,
          enough: ({ lower, upper }) => upper - lower <= 1e-3 * upper,
        },
        refuse,
      );
    },
    tradeoff(alpha) {
      checkTypeOne(alpha);
      return answer(
        sources,
        {
          ask: (curve) => curve.tradeoff(alpha),
          least: 0,
          most: 1 - alpha,
          enough: ({ lower, upper }) => upper - lower <= 1e-4,
        },
        refuse,
      );
    },
  };
}
