import { binomialError, binomialMass } from "./binomial.ts";

const unit = 2 ** -53;
/** Smaller masses are counted as this. */
const least = 1e-280;

/** At a number c of clones: the threshold k, b = P[Bin(c, ½) = k − 1], t = P[Bin(c, ½) ≥ k] to an absolute error, b to a relative. */
interface Cut {
  c: number;
  k: number;
  b: number;
  t: number;
  tError: number;
  bError: number;
}

/**
 * The hockey-stick curve of P₀ = (A + Δ, C − A + 1 − Δ) against its mirror P₁, where Δ ~ Bernoulli(e^ε₀/(e^ε₀ + 1)), A ~ Bin(C, ½) and
 * C ~ Bin(others, clones/(e^ε₀ − 1 + clones)). Given C = c the ratio of P₀ to P₁ grows in the first count, so
 *   D(c) = (e^ε₀ − e^ε)/(e^ε₀ + 1)·b − (e^ε − 1)·t,
 * k the least count whose ratio exceeds e^ε. D falls in c, because a further clone is post-processing. Every rounding goes up.
 * Source: Feldman, McMillan & Talwar 2021 (arXiv 2012.12803), Sec. 5; ./shuffle.proof.md.
 * Direction: upper.
 */
export class CloneMixture {
  readonly #others: number;
  /** e^ε₀ − 1, rounded up; all else is exact in it. */
  readonly #rise: number;
  readonly #p: number;
  readonly #q: number;
  readonly #odds: number;

  constructor(others: number, epsilon0: number, clones: 1 | 2) {
    this.#others = others;
    this.#rise = Math.expm1(epsilon0) * (1 + 4 * unit);
    this.#odds = (clones / this.#rise) * (1 - 4 * unit);
    this.#p = clones / (this.#rise + clones);
    this.#q = this.#rise / (this.#rise + clones);
  }

  /** An upper bound of δ(ε), ε ≥ 0; masses of C worth less than `floor` in all are added as they stand. */
  delta(epsilon: number, floor: number): number {
    const rise = this.#rise;
    const y = Math.expm1(epsilon) * (1 - 4 * unit);
    if (!(y < rise)) return 0;
    const others = this.#others;
    const start = Math.min(others, Math.floor((others + 1) * this.#p));
    // rise is 0 only for ε₀ = 0, which returned above; p = 1 would need it.
    const weight = others === 0 ? 1 : binomialMass(start, others, this.#p, this.#q);
    const slope = (rise + y + rise * y) / (rise * (2 + y));
    const most = (rise - y) / (2 + rise);

    const cutAt = (c: number): Cut => {
      const k = Math.min(c, Math.floor((c + 1) * slope)) + 1;
      const b = binomialMass(k - 1, c, 0.5, 0.5);
      if (!(b > least)) return { c, k, b: 0, t: 0, tError: 0, bError: 0 };
      let [t, term, terms, rest] = [0, b, 0, 0];
      for (let j = k; j <= c; j += 1) {
        term *= (c - j + 1) / j;
        t += term;
        terms += 1;
        if (term < t * 1e-15) {
          // Past the middle the ratios fall below 1, so a geometric series bounds what is left out.
          const ratio = (c - j) / (j + 1);
          rest = (term * ratio) / (1 - ratio);
          break;
        }
      }
      return { c, k, b, t, tError: t * ((terms + 8) * 4 * unit) + rest, bError: binomialError(c) };
    };
    const divergence = ({ b, t, tError, bError, c }: Cut): number => {
      if (b === 0) return c === 0 ? most : least;
      const [gain, cost] = [most * b, y * t];
      const tie = 8 * unit * (rise + y) * (b / (2 + rise));
      return Math.min(
        most,
        Math.max(0, gain - cost) + (gain + cost) * (bError + 8 * unit) + y * tError + tie,
      );
    };

    let total = weight * divergence(cutAt(start));
    let steps = 0;

    // Down to where what is left cannot matter, each D at most `most`.
    let cut = cutAt(start);
    let w = weight;
    while (cut.c > 0) {
      const ratio = cut.c / ((others - cut.c + 1) * this.#odds);
      const left = ratio < 1 ? (w * ratio) / (1 - ratio) : Number.POSITIVE_INFINITY;
      if (left * most <= Math.max(floor, 1e-13 * total, 1e-300)) {
        total += left * most;
        break;
      }
      w *= ratio;
      cut = cut.b > least ? down(cut, Math.floor(cut.c * slope) + 1) : cutAt(cut.c - 1);
      total += w * divergence(cut);
      steps += 1;
    }

    // Up, where D falls: what is left is at most its mass times the last D.
    cut = cutAt(start);
    w = weight;
    for (;;) {
      const last = divergence(cut);
      const ratio = ((others - cut.c) / (cut.c + 1)) * this.#odds;
      const left = ratio < 1 ? (w * ratio) / (1 - ratio) : Number.POSITIVE_INFINITY;
      if (left * last <= Math.max(floor, 1e-13 * total, 1e-300) || cut.c === others) {
        if (cut.c < others) total += left * last;
        break;
      }
      w *= ratio;
      cut = cut.b > least ? up(cut, Math.floor((cut.c + 2) * slope) + 1) : cutAt(cut.c + 1);
      total += w * divergence(cut);
      steps += 1;
    }
    return Math.min(1, total * (1 + binomialError(others) + (steps + 16) * 8 * unit) + 1e-300);
  }
}

/** Moves the cut from c to c − 1 clones, by Pascal's rule. */
function down({ c, k, b, t, tError, bError }: Cut, wanted: number): Cut {
  const j = k - 1;
  const same = wanted >= k && j < c;
  const beside = (b * 2 * (c - j)) / c; // P[Bin(c − 1, ½) = k − 1]
  const next = same ? beside : (b * 2 * j) / c;
  const tail = same ? Math.max(0, t - beside / 2) : t + beside / 2;
  return {
    c: c - 1,
    k: same ? k : k - 1,
    b: next,
    t: tail,
    tError: tError + beside * bError + 4 * unit * (t + beside),
    bError: bError + 4 * unit,
  };
}

/** Moves the cut from c to c + 1 clones, by Pascal's rule. */
function up({ c, k, b, t, tError, bError }: Cut, wanted: number): Cut {
  const j = k - 1;
  const same = wanted <= k;
  const beside = (b * (c - j)) / (j + 1); // P[Bin(c, ½) = k]
  return {
    c: c + 1,
    k: same ? k : k + 1,
    b: same ? (b * (c + 1)) / (2 * (c + 1 - j)) : (b * (c + 1)) / (2 * (j + 1)),
    t: same ? t + b / 2 : Math.max(0, t - beside / 2),
    tError: tError + (b + beside) * bError + 4 * unit * (t + b + beside),
    bError: bError + 4 * unit,
  };
}
