/** Bit tapes: deterministic coins for tests and audits. Production code cannot accept one. */
export {};
