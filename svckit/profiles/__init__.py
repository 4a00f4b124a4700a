"""Profiles as people write them: in ``svckit.toml`` and in the environment.

What counts, key by key, is the first of these that says something:

1. an argument of ``svckit.connect``: which profile, which credentials, how to sign in;
2. the environment: ``SVCKIT_<PROFILE>_<KEY>``, then ``SVCKIT_<KEY>``; ``SVCKIT_PROFILE`` names the profile (a secret
   without a profile's name is for URLs of the environment and the user's file only);
3. the project's file: the nearest ``svckit.toml``, from the current folder up to the root of the repository, or else
   the home folder;
4. the user's file: ``svckit.toml`` in the platform's folder for configuration, such as ``~/.config/svckit``.

The four URLs come from one of them together, and a project's file does not say otherwise what the user's own says of
where a profile is (see `svckit.profiles.mixtures`). No secret is read from a file; where secrets come from is
`svckit.profiles.secret_sources`.
"""
