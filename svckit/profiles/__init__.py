"""Profiles and their secrets, from ``svckit.toml``, the environment and the keyring.

For each key, the first of these sources that sets it wins:

1. an argument of ``svckit.connect``: the profile, the credentials, the way to sign in;
2. the environment: ``SVCKIT_<PROFILE>_<KEY>``, then ``SVCKIT_<KEY>``; ``SVCKIT_PROFILE`` names the profile (a secret
   without a profile's name is used only with URLs from the environment and the user's file);
3. the project's file: the nearest ``svckit.toml``, from the current folder up to the root of the repository, or
   to the home folder;
4. the user's file: ``svckit.toml`` in the platform's folder for configuration, such as ``~/.config/svckit``.

All four URLs come from one source, and a project's file cannot override the URLs in the user's own file (see
`svckit.profiles.mixtures`). No secret is read from these files; `svckit.profiles.secret_sources` finds the secrets, and
`svckit.profiles.readiness` says what is missing.
"""
