/** Words that open a fragment: what follows explains a subject that is not named. */
const opensFragment = new Set(
  "What Of By As Where Whose Which Who Whom From With Than Beyond Among".split(" "),
);

/** The doc comments of a text: { line, opening }, the first word of each. */
export function docComments(text) {
  return [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map((comment) => {
    const words = comment[1].replace(/^\s*\*\s?/gm, "").trim();
    return {
      line: text.slice(0, comment.index).split("\n").length,
      opening: /^\p{L}+/u.exec(words)?.[0] ?? "",
    };
  });
}

/** Whether a comment begins as a fragment. */
export const isFragment = ({ opening }) => opensFragment.has(opening);
