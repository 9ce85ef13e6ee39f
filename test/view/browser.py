"""A real browser, driven by chromedriver's WebDriver protocol: only what the tests and the pictures of the README need."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-device-scale-factor=1", "--disable-dev-shm-usage"]


def missing():
    """Why there is no browser here, or None."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return f"{program} is missing: tools/install-deps browser"
    return None


class Browser:
    def __init__(self, width=1280, height=800):
        self.dir = tempfile.mkdtemp(prefix="assay-view-")
        self.log = open(os.path.join(self.dir, "driver.log"), "w+")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=self.log, stderr=subprocess.STDOUT)
        self.base = f"http://127.0.0.1:{self._port()}"
        options = {"args": FLAGS + [f"--window-size={width},{height}", f"--user-data-dir={self.dir}/profile"], "binary": shutil.which("chromium")}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self.size(width, height)

    def _port(self):
        for _ in range(600):
            text = open(self.log.name).read()
            if " on port " in text:
                number = text.split(" on port ")[-1].split(".")[0].strip()
                if number.isdigit() and number != "0":
                    return int(number)
            if self.driver.poll() is not None:
                raise RuntimeError("chromedriver has ended: " + text[-300:])
            time.sleep(0.05)
        raise RuntimeError("chromedriver says no port")

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].split("\n")[0]) from None

    def call(self, method, path, body=None):
        return self._call(method, f"/session/{self.session}{path}", body)

    def size(self, width, height):
        """Of the page, not of the window around it."""
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride",
                  "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}})

    def dark(self, on):
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia",
                  "params": {"features": [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]}})

    def go(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def wait(self, script, *args):
        """Until a script says something true; else None."""
        for _ in range(400):
            value = self.run(script, *args)
            if value:
                return value
            time.sleep(0.05)
        return None

    def later(self, script, *args):
        """A script that calls its last argument when it is done."""
        return self.call("POST", "/execute/async", {"script": script, "args": list(args)})

    def key(self, text):
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions":
                  [{"type": kind, "value": c} for c in text for kind in ("keyDown", "keyUp")]}]})

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def sketch(self):
        """The page in 32 by 20 fields: how much of each is not the background, a digit, a line for each row."""
        picture = self.call("GET", "/screenshot")
        self.go("about:blank")
        levels = self.later("""const [data, done] = arguments, image = new Image();
            image.onload = () => {
                const c = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
                c.canvas.width = image.width; c.canvas.height = image.height;
                c.drawImage(image, 0, 0);
                const p = c.getImageData(0, 0, image.width, image.height).data, rows = [];
                const corner = 4 * (image.width * image.height - 1), ground = p[corner] + p[corner + 1] + p[corner + 2];
                for (let y = 0; y < 20; y++) {
                    let row = '';
                    for (let x = 0; x < 32; x++) {
                        let ink = 0, n = 0;
                        for (let j = Math.floor(y * image.height / 20); j < Math.floor((y + 1) * image.height / 20); j++) {
                            for (let i = Math.floor(x * image.width / 32); i < Math.floor((x + 1) * image.width / 32); i++, n++) {
                                const at = 4 * (j * image.width + i);
                                ink += Math.abs(p[at] + p[at + 1] + p[at + 2] - ground) > 40;
                            }
                        }
                        row += Math.min(9, Math.floor(Math.sqrt(ink / n) * 10));
                    }
                    rows.push(row);
                }
                done(rows);
            };
            image.src = 'data:image/png;base64,' + data;""", picture)
        return levels

    def console(self):
        return [f"{entry['level']}: {entry['message']}" for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def close(self):
        try:
            self.call("DELETE", "")
        except (RuntimeError, OSError):
            pass
        self.driver.terminate()
        self.driver.wait()
        self.log.close()
        shutil.rmtree(self.dir, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


KEYS = {"right": "\ue014", "left": "\ue012", "up": "\ue013", "down": "\ue015", "home": "\ue011", "end": "\ue010", "enter": "\ue007", "escape": "\ue00c"}
