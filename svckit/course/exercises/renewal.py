"""Lesson 03: keep a program at work for months, while its tokens expire."""

from fakes.lessons import Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from svckit.course.exercises import long_runs
from svckit.course.exercises import renewal_traffic as traffic

__all__ = ["EXERCISE"]

EVERY_TEN_HOURS = tuple((0, hour, 20) for hour in range(0, 2400, 10))
WITH_PAUSES = (
    *((0, hour, 20) for hour in range(0, 300, 10)),
    *((day, 0, 50) for day in (20, 40, 80, 200, 203, 280, 295)),
)
"""When jobs are due: the days, the hours, and by how many minutes at most they may be late."""

EXERCISE = Exercise(
    name="keep_working",
    title="A day later",
    minutes=15,
    section="Authentication",
    starter="""\
def keep_working(http, app, sign_in, jobs):
    for now, user_id, task in jobs:
        ...
""",
    prepare=long_runs.prepare,
    variants=(
        Variant("100 days, with a job every ten hours", {"due": EVERY_TEN_HOURS}),
        Variant("a year with pauses, some of them longer than 90 days", {"due": WITH_PAUSES}),
    ),
    goals=(
        Goal("each job is done once", long_runs.does_each_once),
        Goal("each job is done when it is due", long_runs.does_in_time),
        Goal("no job is refused twice", long_runs.repeats_at_most_once),
        Goal("tokens are renewed only when they have to be", long_runs.renews_seldom),
        Goal("a person signs in only when there is no other way", long_runs.asks_seldom),
        Goal("no secret is in a URL", long_runs.keeps_secrets),
    ),
    mistakes=(
        Mistake(
            "collecting jobs",
            traffic.collects_jobs,
            (
                "What does taking a job from the queue wait for?",
                "Do each job in the loop that takes it; a list of all jobs is complete only when the last one is due.",
                "See “Exercise” above for what a turn of the loop waits for.",
            ),
        ),
        Mistake(
            "no token",
            traffic.sends_no_token,
            (
                "How does the service know who is asking?",
                "A request to the API needs a header with the word Bearer and the access token.",
                "See “Sign in once” above for the header of the first request.",
            ),
        ),
        Mistake(
            "elsewhere",
            traffic.calls_elsewhere,
            (
                "To which URL did that request go?",
                "Users are at /users/ and their ID; tokens are at another host, and its URL is given to you.",
                "See “Renew it” above for the URL of a renewal, and “Sign in once” for that of an update.",
            ),
        ),
        Mistake(
            "other change",
            traffic.changes_something_else,
            (
                "What does a job consist of?",
                "The body of a job has one field, and its value comes from the queue.",
                "See “Exercise” above for what a job sets.",
            ),
        ),
        Mistake(
            "stopping",
            traffic.stops,
            (
                "What ended your loop?",
                "Is a return or a break inside the loop?",
                "See “Exercise” above: how many jobs should be left in the queue?",
            ),
        ),
        Mistake(
            "json",
            traffic.sends_json,
            (
                "How is the body of a token request written?",
                "It is a form, as a browser would send it. Which argument of httpx sends a form?",
                "See “Renew it” above, and compare the argument with json=.",
            ),
        ),
        Mistake(
            "url",
            traffic.puts_into_url,
            (
                "Who else can read the URL of a request?",
                "The four parameters belong into the body.",
                "See “Renew it” above for the argument that puts them there.",
            ),
        ),
        Mistake(
            "text",
            traffic.takes_text_for_number,
            (
                "Of which type is expires_in?",
                "The service sends all values of a token set as texts.",
                "See “A number that is a text” above.",
            ),
        ),
        Mistake(
            "new refresh token",
            traffic.expects_refresh_token,
            (
                "Which fields does the response to a renewal have?",
                "The refresh token stays the same for 90 days. Where do you keep it?",
                "See “Renew it” above, and compare the two sets of names.",
            ),
        ),
        Mistake(
            "parameters",
            traffic.is_refused_renewal,
            (
                "Which four parameters does a renewal have, and where does the value of each come from?",
                "Read what the response says, and print the names in your form. Is each of them there?",
                "See “Renew it” above for all of them.",
            ),
        ),
        Mistake(
            "signing in again",
            traffic.asks_too_often,
            (
                "What would a person say who has to sign in that often?",
                "As long as the refresh token is valid, nobody has to sign in.",
                "See “Renew it” above for the way without a person.",
            ),
        ),
        Mistake(
            "old token",
            traffic.keeps_old_token,
            (
                "Which token did the second of these requests send?",
                "After a renewal, the header has to be made from the new access token.",
                "See “Renew it” above: which value of the response goes into the header?",
            ),
        ),
        Mistake(
            "giving up",
            traffic.gives_up,
            (
                "Who can help when the refresh token has expired?",
                "After 90 days a renewal is refused. What did your program do at the very beginning?",
                "See “Break it” above for what the service says then.",
            ),
        ),
        Mistake(
            "renewing too often",
            traffic.renews_each_time,
            (
                "Was that token still valid?",
                "What tells you that a token has expired: a time that you noted, or a response?",
                "See “Predict, then run” above: for how long does a token work?",
            ),
        ),
        Mistake(
            "hammering",
            traffic.hammers,
            (
                "What has to change before the same request can succeed?",
                "Time does not help an expired token. Which request would?",
                "See “Renew it” above for what makes the next request succeed.",
            ),
        ),
        Mistake(
            "losing a job",
            traffic.loses_job,
            (
                "What became of that job?",
                "A 401 is about the token and not about the job. What should happen to the job afterwards?",
                "See “Predict, then run” above: what does the response say, and what did the request change?",
            ),
        ),
        Mistake(
            "twice",
            traffic.does_twice,
            (
                "Why was that job sent again?",
                "Only a job that was refused needs another request.",
                "See “Exercise” above: each job is done once.",
            ),
        ),
    ),
    summarize=traffic.summarize,
)
