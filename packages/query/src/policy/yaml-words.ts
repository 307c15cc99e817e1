/** A YAML scalar: bare where it cannot be read as anything but this text, else in double quotes. */
export function scalar(text: string): string {
  const bare = /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return bare ? text : JSON.stringify(text);
}

/** A map on one line, without the entries that are not stated. */
export function flow(entries: readonly (readonly [string, string | undefined])[]): string {
  const stated = entries.filter(([, value]) => value !== undefined);
  return `{ ${stated.map(([key, value]) => `${key}: ${value}`).join(", ")} }`;
}
