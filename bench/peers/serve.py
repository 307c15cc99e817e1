"""One JSON line in, one out: {"do": name, ...arguments} -> {"seconds": …, "value": …}. The time is the call's own, without the pipe."""

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
            start = time.perf_counter()
            value = prepared()
            seconds = time.perf_counter() - start
            answer = {"seconds": seconds, "value": say(value)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
