import { secureEntropy } from "/core/light.mjs";
import { madeUpPeople, truthOf } from "/crowd.js";
import { counted, element, measured, percent } from "/elements.js";
import { reportOf } from "/randomize.js";
import { survey } from "/survey.js";

const crowdSize = 24_000;
const button = document.querySelector("#crowd");
/** The truth about the made-up people, which this page knows and the collector does not; null before they answer. */
let truth = null;

async function show() {
  const answer = await fetch("/estimates.json");
  const found = await answer.json();
  const reports = Object.values(found.reports).reduce((sum, count) => sum + count, 0);
  document.querySelector("#told").textContent =
    reports === 0
      ? "No report has come yet. Answer the survey, or let made-up people answer."
      : `${counted(reports, "report")} came, each randomized by its sender at ε = ${found.epsilon}. Whether one of them is its sender's answer or the dice's, nobody can tell.`;
  document
    .querySelector("#charts")
    .replaceChildren(...survey.features.map((feature) => chart(feature, found)), sleepCard(found));
  showModel(found.model);
  document.body.dataset.reports = String(reports);
}

/** The shares of a feature's cells with their intervals; where the truth is known, a ring at it. */
function chart(feature, { cells, reports }) {
  const own = cells[feature.name];
  const widest = Math.max(0.05, ...own.map(({ high }) => high));
  const rows = feature.categories.map((category) =>
    element(
      "div",
      { class: "group" },
      element("span", { class: "name" }, category),
      ...survey.target.categories.map((rested) => {
        const at = own.findIndex((cell) => cell.rested === rested && cell.category === category);
        if (at < 0) return element("div", { class: `line ${rested}` }, element("span", { class: "track" }));
        const { share, low, high } = own[at];
        const shown = Math.max(0, share);
        const known = truth
          ? [measured("i", { class: "truth" }, { at: truth.cells[feature.name][at] / widest })]
          : [];
        return element(
          "div",
          { class: `line ${rested}` },
          element(
            "span",
            { class: "track" },
            measured("span", { class: "fill" }, { share: shown / widest }),
            measured("i", { class: "reach" }, { low: low / widest, high: high / widest }),
            ...known,
          ),
          element("span", { class: "number", title: `${percent(low)} … ${percent(high)}` }, percent(shown)),
        );
      }),
    ),
  );
  return element(
    "section",
    { class: "card" },
    element("h2", {}, feature.question),
    element("p", { class: "soft" }, `Shares of everybody, from ${counted(reports[feature.name], "report")}.`),
    legend(),
    element("div", { class: "groups" }, ...rows),
  );
}

function legend() {
  return element(
    "p",
    { class: "legend" },
    element("span", { class: "yes" }, "rested"),
    element("span", { class: "no" }, "not rested"),
    element("span", { class: "interval" }, "interval"),
    ...(truth ? [element("span", { class: "ring" }, "the truth")] : []),
  );
}

function sleepCard({ sleep, reports }) {
  const { lowest, highest, question, name } = survey.number;
  const scaled = (hours) => (hours - lowest) / (highest - lowest);
  const body =
    sleep === null
      ? [element("p", { class: "soft" }, "No report yet.")]
      : [
          element("p", { class: "big" }, `${sleep.mean.toFixed(2)} h`),
          element(
            "div",
            { class: "line scale" },
            element(
              "span",
              { class: "track" },
              measured("i", { class: "reach" }, { low: scaled(sleep.low), high: scaled(sleep.high) }),
              measured("i", { class: "mean" }, { at: scaled(sleep.mean) }),
              ...(truth ? [measured("i", { class: "truth" }, { at: scaled(truth.sleep) })] : []),
            ),
          ),
          element(
            "p",
            { class: "ends" },
            element("span", {}, `${lowest} h`),
            element("span", {}, `${highest} h`),
          ),
          element(
            "p",
            { class: "soft" },
            `Between ${sleep.low.toFixed(2)} and ${sleep.high.toFixed(2)} hours.`,
          ),
        ];
  return element(
    "section",
    { class: "card" },
    element("h2", {}, question),
    element(
      "p",
      { class: "soft" },
      `The mean, from ${counted(reports[name], "report")}: each is ${lowest} or ${highest}, and nothing between.`,
    ),
    ...body,
  );
}

function showModel(model) {
  document.querySelector("#model").hidden = model === null;
  if (model === null) return;
  const [coffee, screen] = survey.features;
  const chance = (row, column) =>
    model.chances.find((each) => each.coffee === row && each.screen === column).rested;
  document
    .querySelector("#chances")
    .replaceChildren(
      element(
        "table",
        {},
        element("caption", {}, "rows: coffee; columns: screen in bed"),
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            element("td"),
            ...screen.categories.map((name) => element("th", { scope: "col" }, name)),
          ),
        ),
        element(
          "tbody",
          {},
          ...coffee.categories.map((row) =>
            element(
              "tr",
              {},
              element("th", { scope: "row" }, row),
              ...screen.categories.map((column) =>
                measured(
                  "td",
                  { class: "heat" },
                  { share: chance(row, column) },
                  `${Math.round(100 * chance(row, column))} %`,
                ),
              ),
            ),
          ),
        ),
      ),
    );
  document.querySelector("#sql").textContent = model.sql;
}

/** Lets made-up people answer, each with coins of its own, and keeps their truth on this page. */
async function letCrowdAnswer() {
  button.disabled = true;
  const people = madeUpPeople(crowdSize);
  const bits = secureEntropy();
  const reports = people.map((answers) => reportOf(answers, bits).report);
  const batch = 6000;
  for (let from = 0; from < reports.length; from += batch)
    await fetch("/reports", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(reports.slice(from, from + batch)),
    });
  truth = truthOf(people);
  document.querySelector("#crowd-about").textContent =
    "They have answered. A ring marks the truth about them, which this page knows and the collector does not.";
  await show();
}

button.addEventListener("click", letCrowdAnswer);
await show();
document.body.dataset.ready = "yes";
