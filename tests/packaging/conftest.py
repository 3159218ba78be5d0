"""One copy of the repository, from which all kinds of installation are built.

They share its build folder, and its compilations come from ccache if `make build` has
run before: the sources are the same, and paths are hashed relative to the copy.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest
from environments import Environment, copy_repository, create_environment, run

NO_INSTALLED = ("--no-build-isolation", "--no-deps")


@dataclass(frozen=True)
class Installation:
    """An environment with the package, and what is needed to import it.

    Attributes:
        environment: where it is installed.
        package: the folder torch_infini that is imported.
        variables: environment variables that the import needs.
    """

    environment: Environment
    package: Path
    variables: dict[str, str]


@pytest.fixture(scope="session")
def clone(tmp_path_factory):
    return copy_repository(tmp_path_factory.mktemp("packaging") / "clone")


@pytest.fixture(scope="session")
def wheel(clone, tmp_path_factory):
    """The wheel of the embedded stack."""
    builder = create_environment(tmp_path_factory.mktemp("builder") / "venv")
    folder = tmp_path_factory.mktemp("wheel")
    builder.pip("wheel", *NO_INSTALLED, "-w", folder, ".", cwd=clone)
    (wheel,) = folder.glob("torch_infini-*.whl")
    return wheel


@pytest.fixture(scope="session")
def wheel_installation(wheel, tmp_path_factory):
    environment = create_environment(tmp_path_factory.mktemp("from-wheel") / "venv")
    environment.pip("install", "--no-deps", "--ignore-installed", wheel, cwd="/")
    return Installation(environment, environment.site_packages / "torch_infini", {})


@pytest.fixture(scope="session")
def editable_installation(clone, tmp_path_factory):
    environment = create_environment(tmp_path_factory.mktemp("editable") / "venv")
    environment.pip(
        "install", *NO_INSTALLED, "--ignore-installed", "-e", ".", cwd=clone
    )
    return Installation(environment, clone / "python" / "torch_infini", {})


@pytest.fixture(scope="session")
def in_place_installation(clone, tmp_path_factory):
    environment = create_environment(tmp_path_factory.mktemp("in-place") / "venv")
    run([environment.python, "setup.py", "-q", "build_ext", "--inplace"], cwd=clone)
    package = clone / "python" / "torch_infini"
    variables = {"PYTHONPATH": str(package.parent)}
    return Installation(environment, package, variables)


@pytest.fixture(params=["wheel", "editable", "in_place"])
def installation(request):
    return request.getfixturevalue(f"{request.param}_installation")
