"""presscli: check | list | show ID | slug TEXT | export FILE, against the gateway in PRESS_URL."""
import json, os, re, sys
from urllib.request import urlopen
from urllib.error import HTTPError

URL = os.environ.get("PRESS_URL", "")


def get(path):
    with urlopen(URL + path, timeout=5) as answer:
        return json.load(answer)


def main(words):
    match words:
        case ["check"]:
            get("/health")
            print("gateway is up")
        case ["list"]:
            for item in get("/stories")["items"]:
                print(item["id"], item["slug"])
        case ["show", id]:
            try:
                print(json.dumps(get(f"/stories/{id}")))
            except HTTPError:
                print(f"no story {id}", file=sys.stderr)
                return 4
        case ["slug", text]:
            print(re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-"))
        case ["export", path]:
            with open(path, "w") as f:
                json.dump(get("/stories"), f)
            print("exported")
        case _:
            print("usage: presscli check | list | show ID | slug TEXT | export FILE", file=sys.stderr)
            return 2
    return 0


sys.exit(main(sys.argv[1:]))
