/**
 * How a release writes a date (a number of days since 1970) or a timestamp (of microseconds): 2020-02-29, 2020-02-29 12:30:00,
 * and six digits more where there are fractions of a second. Always UTC.
 */
export function writtenTime(type: "date" | "timestamp", value: number): string {
  const milliseconds = type === "date" ? value * 86_400_000 : Math.floor(value / 1000);
  const iso = new Date(milliseconds).toISOString();
  if (type === "date") return iso.slice(0, 10);
  const fraction = value - Math.floor(value / 1e6) * 1e6;
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction > 0 ? `.${String(fraction).padStart(6, "0")}` : ""}`;
}
