import { LetheError } from "../../errors/lethe-error.ts";
import { addAt, doubleAt, elementAt } from "../../numeric/elements/element-at.ts";
import { bandedCoefficients, type Correlation, measurementBits } from "./correlation.ts";

/** Turns the noise of the measurements, a vector a step, into the noise of the steps' sums. All numbers are integers in doubles. */
export interface StepNoise {
  /** Turns this step's draw, in place. */
  turn(drawn: Float64Array): void;
  /** What later steps need of it: as secret as the exact sums. */
  state(): readonly Float64Array[];
}

const unit = 2 ** measurementBits;

/** Noise that doubles do not hold exactly; with the σ that plans allow its chance is below e^-500. */
function checked(x: number, most: number): number {
  if (x >= -most && x <= most) return x;
  throw new LetheError("internal.invariant", "a noise value did not fit a double", {
    fix: "check the source of randomness",
  });
}

/** Makes the noise of a training, or that of its steps from `step` on with the state that the steps before it left. */
export function stepNoise(
  correlation: Correlation,
  parameters: number,
  { step, state }: { readonly step: number; readonly state: readonly Float64Array[] } = {
    step: 0,
    state: [],
  },
): StepNoise {
  const held = state.map((vector) => vector.slice());
  if (correlation.kind === "tree") return new TreeStepNoise(parameters, step, held);
  if (correlation.kind === "banded") return new BandedStepNoise(correlation.bands, held);
  return new BltStepNoise(correlation, parameters, held);
}

/** e_t = round((z_t − Σᵢ cᵢ·e_{t−i})/2¹²) over the last bands − 1 steps. */
class BandedStepNoise implements StepNoise {
  readonly #coefficients: readonly number[];
  /** The noise of the last steps, newest first. */
  #recent: Float64Array[];

  constructor(bands: number, recent: Float64Array[]) {
    this.#coefficients = bandedCoefficients(bands).map(Number);
    this.#recent = recent;
  }
  state(): readonly Float64Array[] {
    return this.#recent;
  }
  turn(drawn: Float64Array): void {
    for (const [at, before] of this.#recent.entries()) {
      const weight = elementAt(this.#coefficients, at + 1);
      for (let i = 0; i < drawn.length; i++) addAt(drawn, i, -weight * doubleAt(before, i));
    }
    // Below 2^34 the products' sum stays below 2^52 for up to 1024 bands.
    for (let i = 0; i < drawn.length; i++) drawn[i] = checked(Math.round(doubleAt(drawn, i) / unit), 2 ** 34);
    const keep = this.#coefficients.length - 1;
    if (keep === 0) return;
    const oldest = this.#recent.length < keep ? new Float64Array(drawn.length) : this.#recent.pop();
    oldest?.set(drawn);
    this.#recent = [...(oldest ? [oldest] : []), ...this.#recent];
  }
}

/** e_t = round((z_t − round(Σ ω_k·s_k))/2¹²), s_k ← round(θ_k·s_k) + 2¹²·e_t. */
class BltStepNoise implements StepNoise {
  readonly #decays: readonly number[];
  readonly #outputs: readonly number[];
  readonly #buffers: readonly Float64Array[];

  constructor(
    { decays, outputs }: Extract<Correlation, { readonly kind: "blt" }>,
    parameters: number,
    buffers: readonly Float64Array[],
  ) {
    [this.#decays, this.#outputs] = [decays, outputs];
    this.#buffers = buffers.length > 0 ? buffers : decays.map(() => new Float64Array(parameters));
  }
  state(): readonly Float64Array[] {
    return this.#buffers;
  }
  turn(drawn: Float64Array): void {
    const sum = new Float64Array(drawn.length);
    for (const [k, buffer] of this.#buffers.entries()) {
      const output = elementAt(this.#outputs, k);
      for (let i = 0; i < sum.length; i++) addAt(sum, i, output * doubleAt(buffer, i));
    }
    for (let i = 0; i < drawn.length; i++)
      drawn[i] = checked(Math.round((doubleAt(drawn, i) - Math.round(doubleAt(sum, i))) / unit), 2 ** 38);
    for (const [k, buffer] of this.#buffers.entries()) {
      const decay = elementAt(this.#decays, k);
      for (let i = 0; i < buffer.length; i++)
        buffer[i] = checked(Math.round(decay * doubleAt(buffer, i)) + unit * doubleAt(drawn, i), 2 ** 51);
    }
  }
}

/** At step t = odd·2ʲ the last 2ʲ steps are measured; a running sum adds the intervals that the digits of t name; a step is the difference of two. */
class TreeStepNoise implements StepNoise {
  /** The noise of the last running sum, then the measurements by level. */
  readonly #held: Float64Array[];
  readonly #parameters: number;
  #step: number;

  constructor(parameters: number, step: number, held: Float64Array[]) {
    this.#parameters = parameters;
    this.#step = step;
    this.#held = held.length > 0 ? held : [new Float64Array(parameters)];
  }
  state(): readonly Float64Array[] {
    return this.#held;
  }
  #level(level: number): Float64Array {
    while (this.#held.length <= level + 1) this.#held.push(new Float64Array(this.#parameters));
    return elementAt(this.#held, level + 1);
  }
  turn(drawn: Float64Array): void {
    this.#step += 1;
    let [level, digits] = [0, this.#step];
    for (; digits % 2 === 0; digits /= 2) level += 1;
    this.#level(level).set(drawn);
    for (digits = (digits - 1) / 2; digits > 0; digits = Math.floor(digits / 2)) {
      level += 1;
      if (digits % 2 === 0) continue;
      const node = this.#level(level);
      for (let i = 0; i < drawn.length; i++) addAt(drawn, i, doubleAt(node, i));
    }
    const before = this.#level(-1);
    for (let i = 0; i < drawn.length; i++) {
      const running = checked(doubleAt(drawn, i), 2 ** 51);
      drawn[i] = running - doubleAt(before, i);
      before[i] = running;
    }
  }
}
