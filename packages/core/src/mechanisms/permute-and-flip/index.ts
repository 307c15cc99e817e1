export { type PermuteAndFlip, permuteAndFlip, permuteAndFlipFor } from "./permute-and-flip.ts";
