#!/usr/bin/env python3
"""Report which parts of torch.cuda's public surface torch.infini offers.

The profile classifies every public symbol of torch.cuda as required, planned or
excluded; docs/conformance.md describes its format. The surface is found by looking
at the installed PyTorch, which needs no GPU and no CUDA build. Gaps are listed and
never make the command fail; an invalid profile or a report that cannot be made does.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from api_gaps.compare import (
    ReportError,
    build_report,
    import_candidate,
    missing_required,
)
from api_gaps.profile import ProfileError, load_profile
from api_gaps.render import summary_lines, to_json, to_markdown, write_file
from api_gaps.surface import SurfaceError, collect_surface


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=(
            "example:\n"
            "  python tools/report_api_gaps.py \\\n"
            "    --profile tests/conformance/api_profile.json \\\n"
            "    --markdown build/conformance/torch-cuda-gaps.md \\\n"
            "    --json build/conformance/torch-cuda-gaps.json\n\n"
            "exit status: 0 the report was made, whatever the gaps; 1 it could not be\n"
            "made; 2 the profile is invalid or the command line wrong."
        ),
    )
    parser.add_argument(
        "--profile",
        type=Path,
        required=True,
        help="the classification of symbols; see docs/conformance.md",
    )
    parser.add_argument(
        "--markdown", type=Path, help="where to write the report for people"
    )
    parser.add_argument(
        "--json", type=Path, help="where to write the report for programs"
    )
    return parser


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run(arguments: argparse.Namespace) -> None:
    """Make the report and write what the command line asks for."""
    profile = load_profile(arguments.profile)
    _say(f"profile: {len(profile.symbols)} symbols classified")
    surface = collect_surface(profile.reference)
    _say(f"{profile.reference}: {len(surface)} public symbols")
    report = build_report(profile, surface, import_candidate(profile))
    _say(f"{profile.candidate}: {len(missing_required(report))} required missing")
    outputs = ((arguments.markdown, to_markdown), (arguments.json, to_json))
    texts = [(path, render(report)) for path, render in outputs if path is not None]
    for path, text in texts:
        write_file(path, text)
        _say(f"wrote {path}")
    print("\n".join(summary_lines(report)).rstrip())


def main(argv: list[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    arguments = make_parser().parse_args(argv)
    try:
        run(arguments)
    except ProfileError as error:
        _say(f"error: invalid profile: {error}")
        return 2
    except (ReportError, SurfaceError) as error:
        _say(f"error: no report: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
