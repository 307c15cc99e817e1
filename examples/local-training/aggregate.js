import { randomizedResponseFor } from "@lethe/core/local";
import { combineMeasured, fit as fitModel, layoutOf, predict, toSql } from "@lethe/learn";
import { namesOf, survey, tasks } from "./survey.js";

/** Counts of reports, task by task and option by option: all that the collector keeps. */
export function emptyCounts() {
  return Object.fromEntries(tasks.map(({ name, options }) => [name, new Array(options).fill(0)]));
}

/** Adds a report, if it is one: whoever sends may send anything. Returns whether it was counted. */
export function addReport(counts, sent) {
  if (typeof sent !== "object" || sent === null || Object.keys(sent).sort().join() !== "report,task")
    return false;
  const options = Object.hasOwn(counts, sent.task) ? counts[sent.task] : null;
  if (options === null || !Number.isInteger(sent.report) || !(sent.report in options)) return false;
  options[sent.report] += 1;
  return true;
}

const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

/**
 * Estimates the population's shares and its mean, each with an interval; the intervals of one task hold together. `epsilon` is what the browsers
 * randomized at: with another the estimates are wrong.
 */
export function estimates(counts, { confidence = 0.95, epsilon = survey.epsilon } = {}) {
  const shares = (task, together) => {
    const { options } = tasks.find(({ name }) => name === task);
    const reports = total(counts[task]);
    if (reports === 0) return null;
    const response = randomizedResponseFor({ options, epsilon });
    return response.aggregateCounts(counts[task], reports, {
      confidence,
      about: "population",
      together,
    });
  };
  const cells = Object.fromEntries(
    survey.features.map((feature) => [feature.name, cellsOf(feature, shares(feature.name, true))]),
  );
  return {
    ...{ epsilon, confidence, cells, sleep: meanOf(shares(survey.number.name, false)) },
    reports: Object.fromEntries(tasks.map(({ name }) => [name, total(counts[name])])),
    model: modelOf(cells, total(Object.values(counts).map(total))),
  };
}

function cellsOf(feature, found) {
  return (found?.estimates ?? []).map((share, cell) => {
    const { low, high } = found.intervals[cell];
    return { ...namesOf(feature, cell), share, low, high, deviation: found.standardErrors[cell] };
  });
}

/** The share of upper ends is the mean between the ends, and so is its interval. */
function meanOf(found) {
  if (found === null) return null;
  const { lowest, highest } = survey.number;
  const scaled = (share) => lowest + (highest - lowest) * Math.min(1, Math.max(0, share));
  const { low, high } = found.intervals[1];
  return { mean: scaled(found.estimates[1]), low: scaled(low), high: scaled(high) };
}

const column = ({ name, categories }) => ({ kind: "category", name, categories, nullable: false });

/** The model that Lethe would fit to counts from a database: only where the counts come from differs. */
const description = {
  ...{ version: 1, source: "reports", where: null },
  task: { kind: "naive-bayes", target: column(survey.target), features: survey.features.map(column) },
};

/** Fits a naive Bayes to estimated counts; null until every feature has reports. */
function modelOf(cells, people) {
  if (survey.features.some(({ name }) => cells[name].length === 0)) return null;
  const layout = layoutOf(description);
  const fitted = fitModel(
    description,
    layout,
    combineMeasured(layout.questions.map((question) => measured(question))),
  );
  const chances = survey.features[0].categories.flatMap((coffee) =>
    survey.features[1].categories.map((screen) => ({
      coffee,
      screen,
      rested: chanceOf(fitted, { coffee, screen }),
    })),
  );
  return { fitted, chances, sql: toSql(fitted) };

  /** The classes alone are not reported: they follow from both tables, so that what stands for them weighs next to nothing. */
  function measured({ keys }) {
    const [, block] = keys;
    const feature = block === undefined ? null : survey.features[block - 1];
    return survey.target.categories.flatMap((rested, place) =>
      (feature?.categories ?? [null]).map((category, at) => {
        const of = (name) => cells[name].filter((cell) => cell.rested === rested);
        const own = feature ? of(feature.name)[at] : { share: 0.5, deviation: 100 };
        return {
          statistic: {
            cells: [{ block: 0, category: place }, ...(category === null ? [] : [{ block, category: at }])],
            factors: [],
          },
          value: own.share * people,
          noise: { variance: (own.deviation * people) ** 2, excess: 0 },
        };
      }),
    );
  }
}

/** The chance that the model gives to "yes". */
function chanceOf(fitted, row) {
  const scores = predict(fitted, row);
  const [yes, no] = survey.target.categories.map((category) => Math.exp(Number(scores[`score_${category}`])));
  return yes / (yes + no);
}
