import { affordableUnits } from "./story-terms.mjs";

/**
 * Returns the facts that a process had asked and been told after its first `told` operations:
 * { created, granted: units that it may have, asked: id → units, charged: id → { sequence, hash, units }, settling: id → release, answered: id →
 * release, uncoded }.
 */
export function factsOf(operations, told = operations.length) {
  const facts = {
    created: false,
    granted: [affordableUnits],
    asked: new Map(),
    charged: new Map(),
    settling: new Map(),
    answered: new Map(),
    refused: [],
    uncoded: [],
  };
  for (const { op, what } of operations.slice(0, told)) if (op === "told") note[what.did](facts, what);
  return facts;
}

const note = {
  created: (facts) => {
    facts.created = true;
  },
  applying: ({ granted }, { units }) => granted.push(units),
  applied: (facts, { units }) => {
    facts.granted = [units];
  },
  asked: ({ asked }, { id, units }) => asked.set(id, units),
  charged: ({ charged }, { id, units, sequence, hash }) => charged.set(id, { units, sequence, hash }),
  settling: ({ settling }, { id, release }) => settling.set(id, release),
  answered: ({ answered }, { id, release }) => answered.set(id, release),
  failed: () => {},
  refused: ({ refused }, { step, code }) => refused.push({ step, code }),
  uncoded: ({ uncoded }, { step, message }) => uncoded.push(`${step}: ${message}`),
};
