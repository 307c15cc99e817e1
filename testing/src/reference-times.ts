/** Returns a time as a plan writes it. */
export function timeText(type: "date" | "timestamp", value: bigint): string {
  if (type === "date") return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10);
  const micros = ((value % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const iso = new Date(Number((value - micros) / 1000n)).toISOString();
  const fraction = micros === 0n ? "" : `.${String(micros).padStart(6, "0")}`;
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction}`;
}

/** Returns the microseconds since 1970 of a text, by JavaScript's own calendar; null where it is no moment of UTC. */
export function timeOf(text: string): number | null {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?(?:Z|[+-]00(?::?00)?)?$/.exec(
      text,
    );
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  if (hour! > 23 || minute! > 59 || second! > 59 || year === 0) return null;
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day!);
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) return null;
  const seconds = (hour! * 60 + minute!) * 60 + second!;
  return date.getTime() * 1000 + seconds * 1e6 + Number((parts[7] ?? "").padEnd(6, "0"));
}
