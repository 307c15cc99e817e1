"""One JSON line in, one out: {"do": name, ...arguments} -> {"seconds": …, "processor": …, "value": …}: the call's own time, without the pipe, by
the clock and of all its threads."""

import json
import sys
import time


def serve(actions, say=lambda value: value):
    """Answers requests by `actions` (name -> function) until standard input ends. An action prepares and returns a function; that
    call alone is timed. `say` makes of its value what is answered."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # what a library prints is no answer
    for line in sys.stdin:
        request = json.loads(line)
        try:
            prepared = actions[request.pop("do")](**request)
            start, busy = time.perf_counter(), time.process_time()
            value = prepared()
            seconds, processor = time.perf_counter() - start, time.process_time() - busy
            answer = {"seconds": seconds, "processor": processor, "value": say(value)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
