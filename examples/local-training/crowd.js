import { survey } from "/survey.js";

/** Of each class, how many in 20 have each category of coffee and of screen; and the hours that they sleep, which four of them share alike. */
const habits = {
  yes: { share: 12, coffee: [8, 7, 4, 1], screen: [9, 6, 3, 2], sleep: [7, 7.5, 8, 8.5] },
  no: { share: 8, coffee: [3, 5, 6, 6], screen: [2, 4, 6, 8], sleep: [4.5, 5.5, 6, 6.5] },
};

/** Made-up people: so many of each kind as the habits say, each 20 × 20 × 20 × 4 of them all alike but for their order. */
export function madeUpPeople(count) {
  return Array.from({ length: count }, (_, i) => {
    // Strides without a common divisor with the lengths: every combination comes equally often.
    const rested = (i * 7) % 20 < habits.yes.share ? "yes" : "no";
    const own = habits[rested];
    const of = (feature, place) => feature.categories[placeIn(own[feature.name], place)];
    const [coffee, screen] = survey.features;
    return {
      rested,
      coffee: of(coffee, (Math.floor(i / 20) * 3) % 20),
      screen: of(screen, (Math.floor(i / 400) * 9) % 20),
      sleep: own.sleep[Math.floor(i / 8000 + i / 3) % 4],
    };
  });
}

function placeIn(counts, place) {
  let upTo = 0;
  return counts.findIndex((count) => {
    upTo += count;
    return place < upTo;
  });
}

/** The shares that these people truly have, by task and cell, and their mean sleep. */
export function truthOf(people) {
  const cells = Object.fromEntries(
    survey.features.map((feature) => [
      feature.name,
      survey.target.categories.flatMap((rested) =>
        feature.categories.map(
          (category) =>
            people.filter((each) => each.rested === rested && each[feature.name] === category).length /
            people.length,
        ),
      ),
    ]),
  );
  return { cells, sleep: people.reduce((sum, { sleep }) => sum + sleep, 0) / people.length };
}
