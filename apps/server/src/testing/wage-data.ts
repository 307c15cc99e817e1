/** A table of wages as a small city has them, and its policy: prices by default, a cap for each analyst, and windows. */
export const wageData: { readonly policy: string; readonly people: string } = {
  policy: `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1000 }
defaults: { epsilon: 0.5 }
tables:
  people:
    file: people.csv
    unit: row
    expected_rows: 2400
    columns:
      wage: { type: number, bounds: [0, 60], default: 0 }
      age: { type: integer, bounds: [16, 100] }
      sector: { type: text, categories: [care, construction, education, industry, services, trade] }
`,
  people: peopleText(),
};

function peopleText(): string {
  const sectors = ["care", "construction", "education", "industry", "services", "trade"];
  const rows = Array.from({ length: 2400 }, (_, at) => {
    const sector = sectors[((at * 7) % 13) % 6] ?? "care";
    return `${12 + sectors.indexOf(sector) * 2 + ((at * 37) % 200) / 10},${18 + ((at * 13) % 50)},${sector}`;
  });
  return `wage,age,sector\n${rows.join("\n")}\n`;
}
