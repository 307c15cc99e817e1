/** ε at a δ, or δ at an ε: as it was said, and the greatest double that does not exceed it, at which it is answered. */
export type Question = EpsilonAt | DeltaAt;
export interface EpsilonAt {
  readonly delta: number;
  readonly said: string;
}
export interface DeltaAt {
  readonly epsilon: number;
  readonly said: string;
}
