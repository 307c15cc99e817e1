/** Rows that trainings are compared on, and the units of one batch. */
export const rows = 4096;
export const size = 256;

/** The units of a step. */
export const batchOf = (step) => Uint32Array.from({ length: size }, (_, i) => (step * size + i * 3) % rows);

/** The batches of so many steps from one on. */
export const batchesFrom = (step, count) => Array.from({ length: count }, (_, i) => batchOf(step + i));
