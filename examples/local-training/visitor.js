import { secureEntropy, toDouble } from "/core/light.mjs";
import { element, measured, percent } from "/elements.js";
import { reportOf, responses } from "/randomize.js";
import { cellOf, namesOf, survey } from "/survey.js";

const form = document.querySelector("#survey");
const button = document.querySelector("#send");
const [first] = survey.features;

/** One choice of several, as buttons. */
function choice({ name, question, categories }) {
  return element(
    "fieldset",
    {},
    element("legend", {}, question),
    element(
      "div",
      { class: "choices" },
      ...categories.map((category) =>
        element(
          "label",
          {},
          element("input", { type: "radio", name, value: category }),
          element("span", {}, category),
        ),
      ),
    ),
  );
}

function slider({ name, question, lowest, highest, steps }) {
  const range = {
    type: "range",
    name,
    min: lowest,
    max: highest,
    step: (highest - lowest) / steps,
    value: 7,
  };
  return element(
    "fieldset",
    {},
    element("legend", {}, question),
    element(
      "div",
      { class: "slider" },
      element("input", { ...range, "aria-label": question }),
      element("output", {}, "7 h"),
    ),
  );
}

function answers() {
  const given = new FormData(form);
  return { ...Object.fromEntries(given), sleep: Number(given.get(survey.number.name)) };
}

/** Shows how likely each report about the first feature would be, as soon as it is answered. */
function showOdds() {
  const given = answers();
  const isAnswered = given.rested !== undefined && given[first.name] !== undefined;
  const own = isAnswered ? cellOf(first, given.rested, given[first.name]) : null;
  const { epsilon, options, parameters } = responses[first.name];
  const truth = fraction(parameters.truth);
  const other = (1 - truth) / (options - 1);
  const text = (selector, words) => {
    document.querySelector(selector).textContent = words;
  };
  text("#odds-title", `If the report is about ${first.name}`);
  text(
    "#odds-about",
    isAnswered
      ? `The chance of each report. Yours is the likeliest; ${percent(1 - truth)} of the time another one is sent.`
      : `Answer, and see the chance of each report. Yours will have ${percent(truth)}, whatever it is.`,
  );
  document.querySelector("#odds").replaceChildren(
    ...Array.from({ length: options }, (_, cell) => {
      const { rested, category } = namesOf(first, cell);
      const chance = cell === own ? truth : other;
      return element(
        "div",
        { class: cell === own ? "bar own" : "bar" },
        element("span", { class: "name" }, `${rested === "yes" ? "rested" : "not rested"}, ${category}`),
        element(
          "span",
          { class: "track" },
          measured("span", { class: "fill" }, { share: own === null ? 0 : chance }),
        ),
        element("span", { class: "number" }, own === null ? "" : percent(chance)),
      );
    }),
  );
  const factor = Math.exp(toDouble(epsilon, "up"));
  text(
    "#price",
    `Whatever you answer, no report is more than ${factor.toFixed(1)} times as likely as under any other answer: that is ε = ${survey.epsilon}.`,
  );
  text(".slider output", `${given[survey.number.name]} h`);
  const asked = [survey.target, ...survey.features];
  button.disabled = isSent || asked.some(({ name }) => given[name] === undefined);
}

function fraction(text) {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

/** What a report says, in words. */
function words(task, report) {
  const feature = survey.features.find(({ name }) => name === task);
  if (!feature) return `${report === 1 ? survey.number.highest : survey.number.lowest} hours of sleep`;
  const { rested, category } = namesOf(feature, report);
  return `${rested === "yes" ? "rested" : "not rested"}, ${feature.name}: ${category}`;
}

let isSent = false;
/** What the dice gave. It is drawn once: sent again after a failure it costs nothing, and a new one would cost ε again. */
let drawn = null;

async function send() {
  button.disabled = true;
  drawn ??= reportOf(answers(), secureEntropy());
  const { told, report } = drawn;
  const shown = document.querySelector("#sent");
  shown.hidden = false;
  try {
    const answer = await fetch("/reports", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify([report]),
    });
    if (!answer.ok) throw new Error("the collector did not count it");
    isSent = true;
    shown.replaceChildren(
      element("p", { class: "done" }, "Sent. This is all of it:"),
      element("pre", {}, JSON.stringify(report)),
      element(
        "p",
        {},
        `It says “${words(report.task, report.report)}”. Without the dice it would have said “${words(report.task, told)}”, which stays here.`,
      ),
      element("p", { class: "soft" }, "Each further report would cost ε again, so this page sends no other."),
    );
  } catch (error) {
    button.disabled = false;
    shown.replaceChildren(
      element(
        "p",
        { role: "alert" },
        `It may not have arrived: ${error.message}. Sent again, it is the same report.`,
      ),
    );
  }
}

form.append(choice(survey.target), ...survey.features.map(choice), slider(survey.number));
form.addEventListener("input", showOdds);
form.addEventListener("submit", (event) => event.preventDefault());
button.addEventListener("click", send);
showOdds();
document.body.dataset.ready = "yes";
