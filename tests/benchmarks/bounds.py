"""Figures of benchmarks, and the bounds that they are held to."""


def report(what: str, figure: float, limit: float, unit: str = "times") -> bool:
    """Print a figure; True where it is within its bound."""
    print(f"{what}: {figure:.3f} {unit} (at most {limit:.2f})", flush=True)
    return figure <= limit
