#!/usr/bin/env bash
# Builds the public torch-infini against two prefixes and runs its own test suite on them.
#
#   check_torch_infini.sh TORCH_INFINI_REPO RT_PREFIX OPS_PREFIX DESTINATION [PYTEST_ARGUMENT...]
#
# TORCH_INFINI_REPO is a git clone that holds the commit below. The prefixes are the embedded stack
# (`cmake --install BUILD --prefix FOLDER`) or one that build_stacks.sh made: with the first this
# shows that upstream's unchanged C++ sources compile, link and pass on our libraries; with the
# second it is the control.
#
# PYTHON (default python3) names an interpreter that can import torch, numpy and pytest. It is not
# changed: the wheel goes into a virtual environment in DESTINATION that reads its packages. The
# build needs setuptools and wheel, the tests Ninja and PyYAML; all of them come from PyPI.
set -euo pipefail

readonly COMMIT=17743133d674fdb1c2569d96d0f2af3be6517d6f

fail() {
  echo "check_torch_infini.sh: $*" >&2
  exit 1
}

[[ $# -ge 4 ]] ||
  fail "usage: check_torch_infini.sh TORCH_INFINI_REPO RT_PREFIX OPS_PREFIX DESTINATION [ARGUMENT...]"
repo=$1
rt=$(cd "$2" && pwd)
ops=$(cd "$3" && pwd)
mkdir -p "$4"
dest=$(cd "$4" && pwd)
shift 4
python=${PYTHON:-python3}

git -C "$repo" cat-file -e "$COMMIT^{commit}" 2>/dev/null || fail "$repo does not hold commit $COMMIT"
site=$("$python" -c "import pathlib, torch; print(pathlib.Path(torch.__file__).parents[1])") ||
  fail "$python cannot import torch; set PYTHON"

rm -rf "$dest/source" "$dest/venv" "$dest/wheel" "$dest/run"
mkdir -p "$dest/source" "$dest/wheel" "$dest/run"
git -C "$repo" archive "$COMMIT" | tar -x -C "$dest/source"

"$python" -m venv "$dest/venv"
venv="$dest/venv/bin/python"
packages=$("$venv" -c "import sysconfig; print(sysconfig.get_paths()['purelib'])")
echo "$site" >"$packages/torch_of_the_base_interpreter.pth"
"$venv" -m pip install --quiet "setuptools==80.9.0" "wheel==0.45.1" "ninja==1.11.1.4" "pyyaml>=6"

export INFINI_RT_PREFIX=$rt INFINI_OPS_PREFIX=$ops
export MAX_JOBS=${JOBS:-2} PATH="$dest/venv/bin:$PATH"
export LD_LIBRARY_PATH="$ops/lib:$rt/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# Not our own plugin, which the base interpreter may have: it would be loaded by `import torch`.
export TORCH_DEVICE_BACKEND_AUTOLOAD=0

"$venv" -m pip wheel "$dest/source" --wheel-dir "$dest/wheel" --no-build-isolation --no-deps \
  >"$dest/build.log" 2>&1 || fail "the wheel does not build; the log is $dest/build.log"
"$venv" -m pip install --quiet --no-deps "$dest"/wheel/*.whl

cd "$dest/run"
TORCH_INFINI_TEST_EXPECTED_BACKEND=cpu \
  "$venv" -m pytest -q -p no:cacheprovider "$dest/source/tests" "$@"
