/**
 * Turns what a field for a time in UTC holds into the moment that the service is asked for; null where it is none.
 * @example momentOf("2026-11-28T04:36") // => "2026-11-28T04:36:00Z"
 */
export function momentOf(field: string): string | null {
  const [, time] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d+)?)?$/.exec(field) ?? [];
  return time === undefined || Number.isNaN(Date.parse(`${time}Z`)) ? null : `${time}:00Z`;
}
