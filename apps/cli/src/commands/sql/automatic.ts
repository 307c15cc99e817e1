import { type PrivacyLossText, parseRational, type Rational, ratio } from "@lethe/core";
import { add, compare } from "@lethe/core/numeric";

/** Pays without asking while all that was paid so stays within a limit: of ε, or of ρ where the account counts that. */
export class Automatic {
  #limit: Rational | null = null;
  #spent: Rational = ratio(0n);

  get isOn(): boolean {
    return this.#limit !== null;
  }

  /** The limit, and what was paid without asking since it was set. Null where each question is asked about. */
  get state(): { readonly limit: Rational; readonly spent: Rational } | null {
    return this.#limit && { limit: this.#limit, spent: this.#spent };
  }

  /** Errors: parameter.invalid for what is no number. */
  on(limit: string): void {
    this.#limit = parseRational(limit, "limit");
    this.#spent = ratio(0n);
  }

  off(): void {
    this.#limit = null;
  }

  covers(price: PrivacyLossText): boolean {
    return this.#limit !== null && compare(add(this.#spent, mainPart(price)), this.#limit) <= 0;
  }

  paid(price: PrivacyLossText): void {
    this.#spent = add(this.#spent, mainPart(price));
  }
}

function mainPart(price: PrivacyLossText): Rational {
  return parseRational(price.measure === "zcdp" ? price.rho : price.epsilon);
}
