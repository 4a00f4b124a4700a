"""The order of the site's pages, and the words by which the search finds them."""

import re
from pathlib import Path

__all__ = ["KEYWORDS", "UNSEARCHED", "begin_upper", "list_groups", "write_menu"]

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (?P<task>[^|]+) \| (?P<pages>\[.+) \|$", re.MULTILINE)
LINK = re.compile(r"\[(?P<title>[^]]+)\]\((?P<page>[^)]+)\.(?:ipynb|md)\)")
FOLDERS = {"Lessons": "notebooks/course", "Public names": "binder/site/api", "More": "notebooks"}
"""The groups of what the README's table does not name, each with its folder."""

NAMES = {"httpx", "pytest", "requests"}
"""What is written in lower case at the start of a line, too."""

UNSEARCHED = {"CHANGELOG", "CONTRIBUTING"}
"""Pages for those who change svckit, which the search does not show to its users."""

HOW_TO, COURSE, REFERENCE = "notebooks/how-to", "notebooks/course", "notebooks/reference"
STATUSES = "400 401 403 404 409 413 421 429 501 503 507"
KEYWORDS = {
    "README": ["install", "extras"],
    "notebooks/00-start": ["tutorial", "getting started", "offline", "network", "tour"],
    "notebooks/explorers": ["explorer", "explorers", "search users", "filter users"],
    "notebooks/glossary": ["glossary", "term", "mean"],
    f"{HOW_TO}/report-on-people": ["who is away", "on leave", "leave of absence"],
    f"{HOW_TO}/make-a-monthly-report": ["monthly report", "plot", "chart"],
    f"{HOW_TO}/look-at-the-wire": ["trace", "curl", "sequence diagram", "see requests", "sent"],
    f"{HOW_TO}/generate-a-client": ["OpenAPI", "generated client"],
    f"{HOW_TO}/receive-events": ["signature", "bot", "bot signature", "callback", "event"],
    f"{HOW_TO}/test-a-service-account-and-a-bot": ["service account", "JWT", "bot"],
    f"{HOW_TO}/share-one-server": ["world", "worlds", "one server"],
    f"{HOW_TO}/test-your-httpx-client": ["test my client", "mock", "transport"],
    f"{HOW_TO}/test-a-requests-client": ["requests", "test my client"],
    f"{HOW_TO}/test-with-pytest": ["fixtures", "fixture", "markers", "pytest"],
    f"{HOW_TO}/use-from-curl-and-node": ["any language", "JavaScript", "Java", "Go", "TypeScript", "TCP"],
    f"{HOW_TO}/run-a-program-unchanged": ["unchanged program", "without changing"],
    f"{HOW_TO}/find-the-setting": ["symptom", "download 401", "lost token"],
    f"{HOW_TO}/use-beside-other-mocks": ["respx", "responses library", "VCR", "WireMock", "other mocks"],
    f"{HOW_TO}/run-the-fake-in-ci": ["Docker", "CI", "GitHub Actions"],
    f"{HOW_TO}/make-the-fake-look-like-your-service": [
        "deviations",
        "deviation",
        "own data",
        "own users",
        "other paths",
        "base URL",
        "host",
        "stubs",
        "stub",
    ],
    f"{HOW_TO}/control-a-fake-by-hand": ["snapshot", "snapshots", "restore"],
    f"{HOW_TO}/inject-faults-and-retry": [
        "faults",
        "fail",
        "retry",
        "timeout",
        "slow",
        "outage",
        "500",
        "connection",
        "test client 429",
    ],
    f"{HOW_TO}/move-the-clock": [
        "clock",
        "change time",
        "freeze time",
        "time travel",
        "hours",
        "snapshot",
        "token expired",
    ],
    f"{HOW_TO}/stay-within-the-notification-limit": [
        "429",
        "test client 429",
        "rate limit",
        "too many requests",
    ],
    f"{HOW_TO}/sweep-your-assumptions": ["strict", "refuse", "sweep"],
    f"{HOW_TO}/sign-in-to-a-real-service": [
        "real service",
        "sign in",
        "login",
        "OAuth",
        "credentials",
        "client ID",
    ],
    f"{HOW_TO}/check-a-real-service": ["real service", "conformance", "compare service"],
    f"{HOW_TO}/run-unattended": ["cron", "scheduled job", "unattended", "nightly"],
    f"{HOW_TO}/notify-from-a-script": ["cron", "webhook", "notify", "send message", "message room"],
    f"{HOW_TO}/measure-a-real-service": ["HAR", "recorded traffic", "measure service"],
    f"{HOW_TO}/test-by-looking-at-traffic": ["HAR", "journal", "traffic", "request sent", "client sent"],
    f"{HOW_TO}/transfer-big-files": ["big file", "big files", "resume", "upload", "download", "overwrite"],
    f"{HOW_TO}/update-many-users": ["Excel", "CSV", "spreadsheet", "bulk", "update user", "dry run"],
    f"{HOW_TO}/apply-an-hr-sheet": ["Excel", "HR", "employees"],
    f"{HOW_TO}/find-retired-features": ["retired", "deprecated", "sunset"],
    f"{HOW_TO}/replace-custom-fields": ["custom fields", "migration"],
    f"{HOW_TO}/use-async": ["async", "asyncio"],
    f"{HOW_TO}/write-a-notebook-that-is-a-test": ["nbval", "test notebook", "reproducible", "deterministic"],
    f"{HOW_TO}/use-in-other-notebooks": ["Colab", "VS Code", "marimo"],
    f"{HOW_TO}/teach-on-jupyterhub": ["hub", "JupyterHub", "class"],
    f"{HOW_TO}/add-a-lesson": ["add lesson", "own lesson", "write lesson"],
    f"{COURSE}/00-look-around": ["course", "learn"],
    f"{COURSE}/TRAINER": ["teach", "trainer", "trainers", "workshop", "grade"],
    f"{COURSE}/02-sign-in": ["sign in"],
    f"{COURSE}/03-a-day-later": ["refresh token"],
    f"{COURSE}/04-change-one-field": ["update user"],
    f"{COURSE}/05-busy-away": ["set status", "profile status"],
    "notebooks/explain/known-and-assumed": ["assumed", "assumption", "guess", "X-Fake-Assumed"],
    "notebooks/explain/secrets": ["secrets", "password"],
    "notebooks/explain/time": ["time zone"],
    "notebooks/explain/performance": ["performance", "fast", "benchmark", "cost"],
    "notebooks/explain/architecture": ["architecture", "design"],
    f"{REFERENCE}/statuses": [*STATUSES.split(), "status", "error code", "same email"],
    f"{REFERENCE}/errors": ["errors", "exception", "exceptions"],
    f"{REFERENCE}/faults": ["list of faults"],
    f"{REFERENCE}/limits": ["limits", "maximum", "size limit", "token valid"],
    f"{REFERENCE}/command-line": ["command line", "commands", "options"],
    f"{REFERENCE}/configuration": ["configuration", "profile", "config file", "environment variables"],
    f"{REFERENCE}/admin": ["admin", "admin API"],
    f"{REFERENCE}/matrix": [
        "what can the fake do",
        "features",
        "coverage",
        "operations",
        "list users",
        "delete user",
    ],
    f"{REFERENCE}/operations": ["example request", "curl example", "endpoints", "operations"],
    f"{REFERENCE}/rules": ["rules", "list of rules", "alternatives"],
    f"{REFERENCE}/frames": ["pandas", "no pandas", "without pandas", "frames", "columns"],
    f"{HOW_TO}/download-revisions": ["revision", "revisions", "form", "form response", "version of a file"],
    f"{HOW_TO}/set-an-auto-reply": ["auto reply", "automatic reply", "out of office", "vacation"],
    f"{HOW_TO}/test-settings": [
        "restrictions",
        "advanced plan",
        "forbidden words",
        "settings",
        "single sign-on",
    ],
}
"""For pages, what people search for without knowing our words for it."""


def list_groups() -> dict[str, list[tuple[str, str]]]:
    """Return the groups of the menu, each with the short titles and the names of its pages.

    The groups are the rows of the README's table, and the folders of the pages that are not in it.
    """
    seen: set[str] = set()
    groups = {
        begin_upper(row["task"]): [
            (begin_upper(link["title"]), link["page"])
            for link in LINK.finditer(row["pages"])
            if not (link["page"] in seen or seen.add(link["page"]))
        ]
        for row in ROW.finditer((ROOT / "README.md").read_text("utf-8"))
    }
    for group, folder in FOLDERS.items():
        pages = [page for page in list_pages(folder) if not (page in seen or seen.add(page))]
        groups |= {group: [("", page) for page in pages]} if pages else {}
    return groups


def list_pages(folder: str) -> list[str]:
    """Return the pages of a folder, in alphabetical order; those of folders in it come last."""
    files = [
        path.relative_to(ROOT)
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".ipynb", ".md", ".rst"}
    ]
    pages = [path for path in files if ".ipynb_checkpoints" not in path.parts]
    return [
        page.with_suffix("").as_posix() for page in sorted(pages, key=lambda page: (len(page.parts), page))
    ]


def begin_upper(words: str) -> str:
    """Return words with a capital letter at the start, unless they are a name without one."""
    return words if words in NAMES else words[0].upper() + words[1:]


def write_menu() -> str:
    """Return the groups as tables of contents, which the home page does not show."""
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n"
        + "\n".join(f"{title} <{page}>" if title else page for title, page in pages)
        + "\n```\n"
        for caption, pages in list_groups().items()
    )
