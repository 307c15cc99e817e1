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

/** Whether a text is a time as it is written here: of four digits of year, on the calendar. */
export function isWrittenTime(type: "date" | "timestamp", text: string): boolean {
  const clock = type === "date" ? "" : " (?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{6})?";
  if (!new RegExp(`^\\d{4}-\\d\\d-\\d\\d${clock}$`).test(text)) return false;
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return Number.isFinite(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}
