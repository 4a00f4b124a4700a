"""A profile of a real service, which nothing in a test reaches."""

from svckit.profiles.profiles import Profile

PROFILE = Profile(
    name="work",
    base_url="https://api.work.test",
    auth_url="https://auth.work.test",
    upload_url="https://storage.work.test",
    webhook_url="https://hooks.work.test",
    client_id="client-1",
    redirect_uri="http://127.0.0.1:8731/callback",
    scopes=("user", "file"),
)
