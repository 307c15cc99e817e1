/** The survey that both sides agree on: the browsers that answer it, and whoever collects their reports. */
export const survey = {
  /** An ε that one report does not exceed, whatever was answered. A browser sends one report. */
  epsilon: "2",
  /** The class that the model tells. */
  target: { name: "rested", question: "Did you wake up rested today?", categories: ["yes", "no"] },
  features: [
    {
      name: "coffee",
      question: "How much coffee did you drink yesterday?",
      categories: ["none", "1 cup", "2 cups", "3 or more"],
    },
    {
      name: "screen",
      question: "How long did you look at a screen in bed?",
      categories: ["not at all", "up to 20 min", "20 to 40 min", "over 40 min"],
    },
  ],
  /** A number between public bounds, in steps of a quarter. */
  number: { name: "sleep", question: "How many hours did you sleep?", lowest: 0, highest: 12, steps: 48 },
};

const classes = survey.target.categories.length;

/**
 * The statistics that a training needs. A report is about one of them, which the browser draws without looking at the answers: so the whole ε goes
 * into one report, and none into the others. A cell is a class with a category of a feature; of the number only its two ends are told.
 */
export const tasks = [
  ...survey.features.map(({ name, categories }) => ({ name, options: classes * categories.length })),
  { name: survey.number.name, options: 2 },
];

/** The place of a class with a category among a feature's cells. */
export function cellOf(feature, rested, category) {
  return (
    survey.target.categories.indexOf(rested) * feature.categories.length +
    feature.categories.indexOf(category)
  );
}

/** The class and the category of a cell. */
export function namesOf(feature, cell) {
  const { categories } = feature;
  return {
    rested: survey.target.categories[Math.floor(cell / categories.length)],
    category: categories[cell % categories.length],
  };
}
