import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Mechanism } from "../mechanism.ts";
import { integer, notNegative, positive } from "../parameters.ts";

/** Gaussian steps that a unit joins at random. The worth of it is a theorem of amplification: no exact account charges it. */
export const randomAllocation: Mechanism<"random-allocation"> = {
  kind: "random-allocation",
  losses(event) {
    const steps = integer(event.steps, "steps", 1n);
    if (integer(event.selected, "selected", 1n) > steps) {
      throw invalidParameter("selected", event.selected, "at most steps");
    }
    positive(event.sigma, "sigma");
    notNegative(event.sensitivity, "sensitivity");
    return { pure: null, mixed: null, zcdp: null };
  },
};
