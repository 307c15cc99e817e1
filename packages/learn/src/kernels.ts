/**
 * Clipped gradients of networks over rows that the owner holds, by compiled kernels: Node and browser, the same integers.
 * @module @lethe/learn/kernels
 */
export * from "./kernels/index.ts";
export * from "./scattering/index.ts";
