#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens a page in headless Chromium and prints the values of JavaScript expressions there, one JSON value per line.

browser.py URL EXPRESSION...
browser.py --serve

Each EXPRESSION is evaluated in the page after it has loaded, in order; promises are awaited. "until EXPRESSION" repeats
until the value is true (at most 60 s). "@FILE" in an expression is the file's text as a JavaScript string (so that a test
can give a page what a user would drop on it). Speaks Chromium's DevTools protocol over two pipes: no port, no library.

--serve reads many such requests from standard input, each word followed by a zero byte and each request by an empty word, and opens
each in a window of its own that shares no storage with the others. After the values comes a line "done", or "failed" after what went wrong.
lib_browser.sh asks so.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time


class Browser:
    def __init__(self, folder):
        there, self.inward = os.pipe()
        self.outward, back = os.pipe()

        def wire():
            os.dup2(there, 103), os.dup2(back, 104)  # what they were may be 3 or 4
            os.dup2(103, 3), os.dup2(104, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--allow-file-access-from-files", "--window-size=1200,800",
             f"--user-data-dir={folder}", "about:blank"],
            env={**os.environ, "TMPDIR": folder}, close_fds=False, preexec_fn=wire, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(there), os.close(back)
        self.number, self.rest, self.events = 0, b"", []

    def message(self):
        while b"\0" not in self.rest:
            read = os.read(self.outward, 1 << 20)
            if not read:
                sys.exit("browser.py: chromium ended")
            self.rest += read
        one, _, self.rest = self.rest.partition(b"\0")
        return json.loads(one)

    def ask(self, method, session=None, **params):
        self.number += 1
        text = {"id": self.number, "method": method, "params": params, **({"sessionId": session} if session else {})}
        data = json.dumps(text).encode() + b"\0"
        while data:
            data = data[os.write(self.inward, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"browser.py: {method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, event, **params):
        def is_it(message):
            return message.get("method") == event and params.items() <= message["params"].items()

        while not any(map(is_it, self.events)):
            self.events.append(self.message())
        self.events.clear()


def with_files(expression):
    return re.sub(r"@([^\s()\"'`,;]+)", lambda m: json.dumps(open(m[1], encoding="latin-1").read()), expression)


def evaluate(browser, session, expression):
    answer = browser.ask("Runtime.evaluate", session, expression=expression, awaitPromise=True, returnByValue=True)
    if "exceptionDetails" in answer:
        what = answer["exceptionDetails"]
        sys.exit(f"browser.py: {expression[:200]}: {what.get('exception', {}).get('description', what['text'])}")
    return answer["result"].get("value")


def run(browser, url, expressions, **window):
    target = browser.ask("Target.createTarget", url="about:blank", **window)["targetId"]
    session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    browser.ask("Page.enable", session)
    browser.ask("Page.setLifecycleEventsEnabled", session, enabled=True)
    loader = browser.ask("Page.navigate", session, url=url)["loaderId"]
    browser.wait("Page.lifecycleEvent", name="load", loaderId=loader)
    for expression in expressions:
        again, expression = expression.startswith("until "), with_files(expression.removeprefix("until "))
        value, end = evaluate(browser, session, expression), time.monotonic() + 60
        while again and not value:
            if time.monotonic() > end:
                sys.exit(f"browser.py: not in a minute: {expression[:200]}")
            time.sleep(0.1)
            value = evaluate(browser, session, expression)
        if not again:
            print(json.dumps(value), flush=True)


def serve(browser):
    words = []
    for word in zero_ended(sys.stdin.fileno()):
        if word:
            words.append(word)
            continue
        alone = browser.ask("Target.createBrowserContext")
        try:
            run(browser, words[0], words[1:], **alone)
            print("done", flush=True)
        except SystemExit as why:
            print(f"{why}\nfailed", flush=True)
        browser.ask("Target.disposeBrowserContext", **alone)
        words = []


def zero_ended(file):
    rest = b""
    while read := os.read(file, 1 << 16):
        *words, rest = (rest + read).split(b"\0")
        yield from map(bytes.decode, words)


def main(url, *expressions):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        with open(f"{folder}/Local State", "w") as state:  # chrome://tracing is one of the pages that are off
            json.dump({"internal_only_uis_enabled": url.startswith("chrome://")}, state)
        browser = Browser(folder)
        try:
            serve(browser) if url == "--serve" else run(browser, url, expressions)
        finally:
            browser.process.kill()
            browser.process.wait()


main(*sys.argv[1:])
