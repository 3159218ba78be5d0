#!/usr/bin/env bash
# Builds the plugin on the embedded stack, on the public one and on one library of each, runs it on
# all of them, and prints a table.
#
#   run_suite.sh STACKS DESTINATION [PYTEST_ARGUMENT...]
#
# STACKS is the folder that build_stacks.sh made. DESTINATION receives a copy of this repository as
# git sees it, the wheels, one virtual environment for each, and the logs. A wheel that is there is
# kept: remove DESTINATION when the sources have changed. The arguments go to pytest.
#
#   wheels    built with pip against each stack; they bundle and record nothing of an upstream one,
#             and *_INCLUDE_DIRS and *_LIBRARY_DIRS give the same extension as *_PREFIX
#   suite     all tests but the packaging ones and opgen's, which know no stack, for the wheel built
#             and run on the public stack
#   matrix    smoke test and tests/conformance for each wheel on each stack
#   refusal   each wheel on an InfiniOps of another layout, and a build against it
#
# Environment:
#   PYTHON   an interpreter with PyTorch and requirements-dev.txt; it is not changed (python3)
#   JOBS     parallel compilations (2)
#   WHEELS   the wheels to build and run ("upstream embedded rt-upstream ops-upstream")
#   ONLY     the parts to run ("suite matrix refusal")
#
# The exit status is 1 if a row of the table failed.
set -euo pipefail

fail() {
  echo "run_suite.sh: $*" >&2
  exit 1
}

[[ $# -ge 2 ]] || fail "usage: run_suite.sh STACKS DESTINATION [PYTEST_ARGUMENT...]"
readonly repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly stacks=$(cd "$1" && pwd)
mkdir -p "$2"
readonly dest=$(cd "$2" && pwd)
shift 2
readonly python=$(realpath --no-symlinks "$(command -v "${PYTHON:-python3}")")
readonly wheels=(${WHEELS:-upstream embedded rt-upstream ops-upstream})
readonly parts=(${ONLY:-suite matrix refusal})
readonly source="$dest/source" table="$dest/table.txt"
pytest_arguments=("$@")
status=0

# Nothing but what is named here decides what is built and loaded.
unset LD_LIBRARY_PATH PYTHONPATH INFINI_BUILD_DIR INFINI_BACKEND
unset INFINI_{RT,OPS}_{PREFIX,INCLUDE_DIRS,LIBRARY_DIRS}
export PATH="$(dirname "$python"):$PATH" MAX_JOBS="${JOBS:-2}" PIP_NO_INDEX=1

for name in rt ops ops-add ops-foreign; do
  [[ -d "$stacks/$name/lib" ]] || fail "$stacks holds no $name; see build_stacks.sh"
done

copy_repository() {
  mkdir -p "$source"
  git -C "$repo" ls-files --cached --others --exclude-standard -z |
    (cd "$repo" && while IFS= read -r -d '' file; do
      if [[ -f "$file" ]]; then printf '%s\0' "$file"; fi
    done) | tar -C "$repo" --null -T - -cf - | tar -C "$source" -xf -
}

# half RT|OPS WHEEL: whether that half of the wheel's stack is "upstream" or "embedded".
half() {
  case "$1:$2" in
    *:upstream | RT:rt-upstream | OPS:ops-upstream) echo upstream ;;
    *) echo embedded ;;
  esac
}

# environment_of WHEEL: the variables that choose its stack; `dirs` is upstream, said otherwise.
environment_of() {
  if [[ $1 == dirs ]]; then
    echo "INFINI_RT_INCLUDE_DIRS=$stacks/rt/include"
    echo "INFINI_RT_LIBRARY_DIRS=$stacks/rt/lib"
    echo "INFINI_OPS_INCLUDE_DIRS=$stacks/ops/include"
    echo "INFINI_OPS_LIBRARY_DIRS=$stacks/ops/lib"
    return
  fi
  if [[ $(half RT "$1") == upstream ]]; then echo "INFINI_RT_PREFIX=$stacks/rt"; fi
  if [[ $(half OPS "$1") == upstream ]]; then echo "INFINI_OPS_PREFIX=$stacks/ops"; fi
}

# build_wheel NAME: into DESTINATION/wheel/NAME and an environment of its own.
build_wheel() {
  local name=$1 venv="$dest/venv/$1" folder="$dest/wheel/$1" site variables
  if [[ -e "$folder/done" ]]; then return; fi
  rm -rf "$venv" "$folder"
  mkdir -p "$folder"
  "$python" -m venv --without-pip "$venv"
  site=$("$python" -c "import pathlib, torch; print(pathlib.Path(torch.__file__).parents[1])") ||
    fail "$python cannot import torch; set PYTHON"
  echo "$site" >"$(echo "$venv"/lib/python3*/site-packages)/packages_of_python.pth"
  mapfile -t variables < <(environment_of "$name")
  (cd "$source" && env TORCH_DEVICE_BACKEND_AUTOLOAD=0 "${variables[@]}" "$venv/bin/python" \
    -m pip wheel --no-build-isolation --no-deps --wheel-dir "$folder" . &&
    "$venv/bin/python" -m pip install --no-deps --ignore-installed "$folder"/*.whl
  ) >"$dest/log/wheel-$name.txt" 2>&1 || fail "no wheel; see $dest/log/wheel-$name.txt"
  touch "$folder/done"
}

package_of() {
  echo "$dest/venv/$1"/lib/python3*/site-packages/torch_infini
}

# row VERDICT PART BUILT RUN COUNTS
row() {
  printf '%-7s %-8s %-13s %-13s %s\n' "$@" | tee -a "$table"
  if [[ $1 == FAILED ]]; then status=1; fi
}

check_wheel() {
  local name=$1 verdict=passed
  "$python" "$source/tests/upstream/check_wheel.py" "$dest/wheel/$name"/*.whl \
    "$(half RT "$name")" "$(half OPS "$name")" "$stacks" "$dest" || verdict=FAILED
  row "$verdict" wheel "$name" - "contents, RUNPATH, paths"
}

# The two ways to name a stack give the same extension, byte for byte.
check_directories() {
  local verdict=passed
  build_wheel dirs
  cmp "$(package_of upstream)"/_C*.so "$(package_of dirs)"/_C*.so || verdict=FAILED
  row "$verdict" wheel dirs - "same extension as upstream"
}

# libraries_of STACK: the folders with its libinfinirt.so and libinfiniops.so.
libraries_of() {
  local rt="$dest/lib/rt" ops="$dest/lib/ops"
  case $1 in upstream | upstream-add | rt-upstream | foreign) rt="$stacks/rt/lib" ;; esac
  case $1 in upstream | ops-upstream) ops="$stacks/ops/lib" ;; esac
  case $1 in upstream-add) ops="$stacks/ops-add/lib" ;; foreign) ops="$stacks/ops-foreign/lib" ;; esac
  echo "$rt" "$ops"
}

# The embedded libraries apart from each other, so that each can be named alone.
split_embedded() {
  local package
  build_wheel embedded
  package=$(package_of embedded)
  mkdir -p "$dest/lib/rt" "$dest/lib/ops"
  cp "$package/lib/libinfinirt.so" "$dest/lib/rt"
  cp "$package"/lib/{libinfiniops,libscipy_openblas}.so "$dest/lib/ops"
}

# run_tests PART BUILT RUN PYTEST_ARGUMENT...
run_tests() {
  local part=$1 built=$2 on=$3 log="$dest/log/$1-$2-on-$3.txt" rt ops verdict=passed counts marks
  shift 3
  read -r rt ops < <(libraries_of "$on")
  (
    export LD_LIBRARY_PATH="$ops:$rt"
    cd "$source" &&
    TORCH_DEVICE_BACKEND_AUTOLOAD=0 "$dest/venv/$built/bin/python" \
      tests/upstream/check_libraries.py loaded "$rt/libinfinirt.so" "$ops/libinfiniops.so" &&
    "$dest/venv/$built/bin/python" -m pytest -q -p no:cacheprovider "$@" \
      ${pytest_arguments[@]+"${pytest_arguments[@]}"}
  ) >"$log" 2>&1 || verdict=FAILED
  counts=$(grep -E '^(=+ )?[0-9]+ (passed|failed|skipped|error).* in [0-9.]+s' "$log" |
    tail -n 1 | sed -E 's/=+ ?//g; s/ in [0-9.]+s.*//' || true)
  marks=$(sed -nE "s/^skipped by (needs\(.*)$/\1/p" "$log" | paste -sd ' ')
  row "$verdict" "$part" "$built" "$on" "${counts:-see ${log#"$dest"/}}${marks:+ [$marks]}"
}

check_refusal() {
  local built=$1 log="$dest/log/refusal-$1.txt" rt ops verdict=passed
  read -r rt ops < <(libraries_of foreign)
  (cd "$dest" && env LD_LIBRARY_PATH="$ops:$rt" TORCH_DEVICE_BACKEND_AUTOLOAD=0 \
    "$dest/venv/$built/bin/python" "$source/tests/upstream/check_libraries.py" refused \
    "$ops/libinfiniops.so") >"$log" 2>&1 || verdict=FAILED
  row "$verdict" refusal "$built" foreign "ImportError before registration"
}

# The foreign layout is refused at compile time too, by the file that calls it.
check_foreign_build() {
  local log="$dest/log/refusal-build.txt" tree="$dest/foreign-build" verdict=FAILED
  {
    cmake -S "$source" -B "$tree" -G Ninja -DINFINI_PYTHON="$python" -DINFINI_BUILD_TESTING=OFF \
      -DINFINI_RT_PREFIX="$stacks/rt" -DINFINI_OPS_PREFIX="$stacks/ops-foreign" &&
      ! cmake --build "$tree" --target csrc/CMakeFiles/infini_bridge.dir/bridge/ops_table.cpp.o
  } >"$log" 2>&1 && grep -q "names an InfiniOps of another layout" "$log" && verdict=passed
  row "$verdict" refusal - foreign "error at compile time"
}

mkdir -p "$dest/log"
rm -f "$table"
copy_repository
row result part built-on run-on tests
for wheel in "${wheels[@]}"; do
  build_wheel "$wheel"
  check_wheel "$wheel"
done
if [[ " ${wheels[*]} " == *" upstream "* ]]; then check_directories; fi
for part in "${parts[@]}"; do
  case $part in
    suite) run_tests suite upstream upstream tests --ignore tests/opgen -m "not packaging" ;;
    matrix)
      split_embedded
      for wheel in "${wheels[@]}"; do
        for stack in upstream embedded rt-upstream ops-upstream upstream-add; do
          run_tests matrix "$wheel" "$stack" tests/conformance --ignore tests/conformance/test_scope.py
        done
      done
      ;;
    refusal)
      check_foreign_build
      for wheel in "${wheels[@]}"; do check_refusal "$wheel"; done
      ;;
    *) fail "ONLY names '$part'; there are suite, matrix and refusal" ;;
  esac
done
exit "$status"
