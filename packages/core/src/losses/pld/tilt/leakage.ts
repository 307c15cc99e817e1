import type { Component } from "./tilt-plan.ts";

/** The least leakage: roundings are no less. */
const least = 1e-15;
const most = 1e-3;

/** Returns the share of δ that may go to roundings that are chosen: little beside (λ + 1)·accuracy, the share that the accuracy is. */
export function careFor(accuracy: number, tilt: number, onLattice: boolean): number {
  // On a lattice nothing else is lost, and points are few.
  return onLattice ? 1e-12 : 2e-2 * Math.min(1, accuracy * (tilt + 1));
}

/** Returns the share of δ that a plan may give up before it is known how steeply δ falls. `accuracy` is that at an ε of 1. */
export function spareFor(accuracy: number, onLattice: boolean): number {
  return onLattice ? 1e-13 : Math.min(1e-5, 2e-2 * accuracy);
}

/** Returns the part of e^{λε − K}·δ(ε) that may be lost to a window, where `lost` of δ(ε) itself may be. */
export function leakageFor(lost: number, { saddle, logWays }: Component, epsilon: number): number {
  const log = Math.log(lost) + saddle.tilt * epsilon - saddle.log - logWays;
  return Math.max(least, Math.min(most, Math.exp(log)));
}
