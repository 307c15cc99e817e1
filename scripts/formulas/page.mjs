const intro = `# Formulas

Every formula that an account, a mechanism, a calibration or an interval of Lethe rests on: what it says, which way it errs,
where it comes from, its code and its test. Made by \`npm run formulas\` from the docstrings; a test fails when this page is stale.

*exact*: equal to what it computes, up to a rounding toward more loss. *upper*: never below the truth. *lower*: never above it.
In a source, A to E with a number are teaching texts beside the published paper, where many meet these facts first: A, *Lecture 15: Basics
of differential privacy* (2025); B, *Lecture 3: Privacy Basics II* (G. Brown, scribe H. Liu); C, lecture notes on differential privacy and its
cost in accuracy, after Kamath's course (2020); D, *Foundations of machine learning: Differential privacy* (M. Kasy, Oxford, 2026); E,
*Differential Privacy Theory*. “As printed” and “as corrected” speak of these.
`;

/** docs/reference/formulas.md from what {@link gather} found. */
export function renderPage({ rooms }) {
  return [intro, ...rooms.filter(({ formulas }) => formulas.length > 0).map(section)].join("\n");
}

function section({ title, formulas }) {
  const rows = formulas.map(
    ({ name, path, statement, source, direction, test }) =>
      `| [\`${name}\`](../../${path}) | ${cell(statement)} | ${cell(direction)} | ${cell(source)} | ${test ? `[${test.split("/").at(-1)}](../../${test})` : ""} |`,
  );
  return [
    `## ${title}\n`,
    "| name | states | direction | source | test |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** Text inside a table: no bar may end the cell, no star or underscore set it slanted, no < begin a tag. */
function cell(text) {
  return (text ?? "")
    .replace(/\{@link\s+([^}]+)\}/g, "$1")
    .replace(/[\\|*_<]/g, (character) => `\\${character}`);
}
