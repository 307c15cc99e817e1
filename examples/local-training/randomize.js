import { randomizedResponseFor } from "/core/light.mjs";
import { uniformBelow } from "/core/samplers.mjs";
import { cellOf, survey, tasks } from "/survey.js";

/** The mechanism of each task: the very object that draws a report also says what it costs. */
export const responses = Object.fromEntries(
  tasks.map(({ name, options }) => [name, randomizedResponseFor({ options, epsilon: survey.epsilon })]),
);

/**
 * Makes the one report of a visitor from all answers, and from coins that are the browser's own. Which task it is about is drawn first, and does
 * not depend on the answers. `told` is what would have been sent without the dice; it stays on the page.
 */
export function reportOf(answers, bits) {
  const { name: task } = tasks[Number(uniformBelow(BigInt(tasks.length), bits))];
  const told = toldBy(task, answers, bits);
  return { told, report: { task, report: responses[task].respond(told, bits) } };
}

/**
 * A feature's value is its cell. A number x between its ends lo and hi becomes the upper end with chance (x − lo)/(hi − lo), so that the mean of many
 * such ends is that of the numbers; the dice of the response come after, and the mixture of two of its laws is no easier to tell apart than they are.
 */
function toldBy(task, answers, bits) {
  const feature = survey.features.find(({ name }) => name === task);
  if (feature) return cellOf(feature, answers.rested, answers[feature.name]);
  const { lowest, highest, steps } = survey.number;
  const step = Math.round(((answers.sleep - lowest) / (highest - lowest)) * steps);
  return uniformBelow(BigInt(steps), bits) < BigInt(Math.min(steps, Math.max(0, step))) ? 1 : 0;
}
