import { type Event, parseRational, type Rational, ratio } from "@lethe/core";
import { sum } from "@lethe/core/numeric";

type Leaf = Exclude<Event, { readonly kind: "compose" | "repeat" }>;

/** Σ Δ₁/scale over all leaves when every one is Laplace noise (Dwork & Roth 2014, Thm 3.6 and 3.14); null otherwise. */
export function plainEpsilon(event: Event): Rational | null {
  return plainSum(event, (leaf) => {
    if (leaf.kind !== "laplace") return null;
    const scale = parseRational(leaf.scale);
    return ratio(BigInt(leaf.l1) * scale.den, scale.num);
  });
}

/** Σ Δ₂²/(2σ²) over all leaves when every one is Gaussian noise (Bun & Steinke 2016, Prop. 1.6); null otherwise. */
export function plainRho(event: Event): Rational | null {
  return plainSum(event, (leaf) => {
    if (leaf.kind === "rounded-gaussian") {
      const { num, den } = parseRational(leaf.sigma);
      return ratio(BigInt(leaf.l2Squared) * den * den, 2n * num * num);
    }
    if (leaf.kind !== "discrete-gaussian") return null;
    const variance = parseRational(leaf.sigmaSquared);
    return ratio(BigInt(leaf.l2Squared) * variance.den, 2n * variance.num);
  });
}

/** Sums a price over the leaves, each as often as it was run; null as soon as one leaf has no such price. */
function plainSum(event: Event, priceOf: (leaf: Leaf) => Rational | null): Rational | null {
  switch (event.kind) {
    case "constant":
      return ratio(0n);
    case "repeat": {
      const once = plainSum(event.event, priceOf);
      const times = parseRational(event.count);
      return once && ratio(once.num * times.num, once.den * times.den);
    }
    case "compose": {
      const parts: Rational[] = [];
      for (const child of event.events) {
        const part = plainSum(child, priceOf);
        if (part === null) return null;
        parts.push(part);
      }
      return sum(parts);
    }
    default:
      return priceOf(event);
  }
}
