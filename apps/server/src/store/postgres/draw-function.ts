/**
 * Returns the function that draws from token buckets within the database, by its clock, as `draw` and `spend` of @lethe/serve do in one process: the same formulas, held to them by a test. It locks the rows of its buckets in
 * the order of their keys and reads the clock after that, so that the draws of all processes from one bucket follow one another: no more is admitted in any time than the burst and what the rate gives in that time, however
 * many processes admit. A draw that has to wait draws from no bucket.
 * @param schema the schema that has a table `buckets`
 */
export function drawFunction(schema: string): string {
  return `CREATE FUNCTION ${schema}.draw(
    keys text[], bursts double precision[], spacings double precision[], cost double precision, must boolean, given_now double precision
  ) RETURNS double precision LANGUAGE plpgsql AS $$
  DECLARE
    at double precision;
    kept double precision;
    full_ats double precision[] := '{}';
    seen double precision[] := '{}';
    earliest double precision;
    wait double precision := 0;
  BEGIN
    FOR i IN 1 .. cardinality(keys) LOOP
      LOOP
        SELECT full_at INTO kept FROM ${schema}.buckets WHERE key = keys[i] FOR UPDATE;
        EXIT WHEN FOUND;
        INSERT INTO ${schema}.buckets VALUES (keys[i], '-Infinity', bursts[i] * spacings[i]) ON CONFLICT DO NOTHING;
      END LOOP;
      full_ats[i] := kept;
    END LOOP;
    at := COALESCE(given_now, EXTRACT(epoch FROM clock_timestamp()) * 1000);
    FOR i IN 1 .. cardinality(keys) LOOP
      seen[i] := GREATEST(at, LEAST(full_ats[i], at + bursts[i] * spacings[i]));
      earliest := seen[i] - (bursts[i] - LEAST(cost, bursts[i])) * spacings[i];
      IF NOT must AND NOT at >= earliest THEN
        wait := GREATEST(wait, CEIL(earliest) - at);
      END IF;
    END LOOP;
    IF wait > 0 THEN
      RETURN wait;
    END IF;
    FOR i IN 1 .. cardinality(keys) LOOP
      UPDATE ${schema}.buckets SET span = bursts[i] * spacings[i], full_at = CASE
        WHEN must THEN LEAST(seen[i] + cost * spacings[i], at + bursts[i] * spacings[i])
        ELSE seen[i] + LEAST(cost, bursts[i]) * spacings[i]
      END WHERE key = keys[i];
    END LOOP;
    RETURN 0;
  END $$`;
}
