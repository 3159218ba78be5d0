#!/usr/bin/env bash
# Builds the public InfiniRT and InfiniOps for CPU at the commits this project is tested against.
#
#   build_stacks.sh INFINIRT_REPO INFINIOPS_REPO DESTINATION
#
# INFINIRT_REPO and INFINIOPS_REPO are git clones (bare ones will do) that hold the commits below;
# nothing is written into them. The result is four prefixes that share one InfiniRT:
#
#   DESTINATION/rt            InfiniRT, the pinned commit
#   DESTINATION/ops           InfiniOps, the pinned commit, all CPU operators
#   DESTINATION/ops-add       InfiniOps, the pinned commit, `add` only
#   DESTINATION/ops-foreign   InfiniOps, a later commit of another binary layout
#
# A prefix that exists is kept: remove it to build it again. Needs git, CMake 3.18, Ninja, a C++17
# compiler with OpenMP, and a Python 3 with venv. InfiniOps reads its own headers with libclang
# while it configures; it comes from PyPI into DESTINATION/venv.
#
# Environment: PYTHON (default python3), JOBS (default 2).
set -euo pipefail

readonly RT_COMMIT=95c70080f9551e61241110497d163dfcdf9dc7e7
readonly OPS_COMMIT=296271487beb594a248fd463e5fff14f7ab74293
readonly OPS_FOREIGN_COMMIT=6c66469dcc5cb229a02dcfa348f8c32ef8155b96
readonly LIBCLANG=libclang==18.1.1

fail() {
  echo "build_stacks.sh: $*" >&2
  exit 1
}

# extract REPO COMMIT FOLDER
extract() {
  git -C "$1" cat-file -e "$2^{commit}" 2>/dev/null ||
    fail "$1 does not hold commit $2; run: git -C $1 fetch origin $2"
  rm -rf "$3"
  mkdir -p "$3"
  git -C "$1" archive "$2" | tar -x -C "$3"
}

# build NAME REPO COMMIT TARGET [CMAKE_OPTION...]
#
# Every prefix has a source tree of its own: configuring writes generated files into it.
build() {
  local name=$1 repo=$2 commit=$3 target=$4
  shift 4
  if [[ -e "$dest/$name" ]]; then
    echo "$name: present"
    return
  fi
  local source="$dest/src/$name" tree="$dest/build/$name"
  extract "$repo" "$commit" "$source"
  rm -rf "$tree"
  {
    cmake -S "$source" -B "$tree" -G Ninja \
      -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_INSTALL_PREFIX="$dest/$name.partial" \
      -DCMAKE_INSTALL_LIBDIR=lib \
      -DPython_EXECUTABLE="$dest/venv/bin/python" \
      -DAUTO_DETECT_DEVICES=OFF \
      -DWITH_CPU=ON "$@"
    cmake --build "$tree" --target "$target" --parallel "${JOBS:-2}"
    cmake --install "$tree"
  } >"$dest/$name.log" 2>&1 || fail "$name does not build; the log is $dest/$name.log"
  mv "$dest/$name.partial" "$dest/$name"
  echo "$name: built from ${commit:0:7}"
}

build_ops() {
  local name=$1 commit=$2
  shift 2
  build "$name" "$ops_repo" "$commit" infiniops \
    -DINFINI_RT_ROOT="$dest/rt" \
    -DWITH_TORCH=OFF \
    -DGENERATE_OPERATOR_CALL_INSTANTIATIONS=ON "$@"
}

[[ $# -eq 3 ]] || fail "usage: build_stacks.sh INFINIRT_REPO INFINIOPS_REPO DESTINATION"
rt_repo=$1
ops_repo=$2
mkdir -p "$3"
dest=$(cd "$3" && pwd)

if [[ ! -x "$dest/venv/bin/python" ]]; then
  "${PYTHON:-python3}" -m venv "$dest/venv"
fi
"$dest/venv/bin/python" -c "import clang.cindex" 2>/dev/null ||
  "$dest/venv/bin/python" -m pip install --quiet "$LIBCLANG"

build rt "$rt_repo" "$RT_COMMIT" infinirt -DINFINI_RT_BUILD_TESTING=OFF
build_ops ops "$OPS_COMMIT"
build_ops ops-add "$OPS_COMMIT" -DINFINI_OPS_OPS=add
build_ops ops-foreign "$OPS_FOREIGN_COMMIT"

cat <<END

To build and run torch-infini on this stack:
  export INFINI_RT_PREFIX=$dest/rt INFINI_OPS_PREFIX=$dest/ops
  export LD_LIBRARY_PATH=$dest/ops/lib:$dest/rt/lib
END
