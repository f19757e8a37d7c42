#!/bin/sh
# SPDX-License-Identifier: MIT
# `make install` into a temporary prefix, then a small program built through pkg-config (shared and
# static) and through find_package(cairn). run.sh BUILD-FOLDER TEST-FOLDER C-COMPILER
set -eu
build=$1 here=$2 cc=$3
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix/tree" >"$prefix/log" || { cat "$prefix/log"; exit 1; }
tree=$prefix/moved # what is installed must not depend on where it was put first
mv "$prefix/tree" "$tree"

want() {
    for file in "$@"; do
        ls $tree/$file >/dev/null || { echo "not installed: $file"; exit 1; }
    done
}
want include/cairn/base.h include/cairn/predict.h lib/libcairn.so lib/libcairn.so.0.1 lib/libcairn.a \
    lib/libcairn-course.so.0.1 lib/libcairn-course.a lib/pkgconfig/cairn-course.pc \
    lib/libcairn-predict.so.0.1 lib/libcairn-predict.a lib/pkgconfig/cairn-predict.pc \
    lib/pkgconfig/cairn.pc lib/pkgconfig/cairn-static.pc lib/cmake/cairn/cairnConfig.cmake
# what debuggers want is beside the binaries, which know its name, and libcairn is small without it
for library in libcairn.so.0.1.0 libcairn-course.so.0.1.0; do
    want "lib/.debug/$library.debug"
    readelf -p .gnu_debuglink "$tree/lib/$library" | grep -q "$library.debug" || exit 1
    readelf -S "$tree/lib/.debug/$library.debug" | grep -q debug_info || exit 1
done
small() { # FILE BYTES
    test "$(stat -L -c %s "$1")" -lt "$2" || { ls -lL "$1" && echo "is larger than $2" && exit 1; }
}
small "$tree/lib/libcairn.so" 7000000
objdump -p "$tree/lib/libcairn.so" | grep -q 'SONAME *libcairn.so.0.1$' || {
    echo "libcairn.so has no soname"
    exit 1
}
# libraries are looked for in fixed places only: an empty or relative element of the path would be
# the current directory of whoever runs the program
for file in "$build"/cairn "$build"/lib*.so "$build"/cairn-*.so "$tree"/bin/* "$tree"/lib/*.so \
    "$tree"/lib/cairn/*.so; do
    [ -e "$file" ] || continue
    path=$(readelf -d "$file" | sed -n 's/.*(R[UN]*PATH).*\[\(.*\)\]/\1/p')
    case ":$path:" in
    ::) ;; # none
    *::* | *:[!/\$]*) echo "$file looks for libraries in '$path'" && exit 1 ;;
    esac
done
# no LAPACK, BLAS or Fortran
if ldd "$tree/lib/libcairn.so" | grep -Ei 'blas|lapack|gfortran|quadmath'; then
    exit 1
fi
for module in "$build"/cairn-*.so; do
    [ ! -e "$module" ] || want "lib/cairn/${module##*/}"
done
if [ -x "$build/cairn" ]; then
    want bin/cairn share/man/man1/cairn.1 share/man/man1/cairn-fit.1 \
        share/bash-completion/completions/cairn share/zsh/site-functions/_cairn \
        share/fish/vendor_completions.d/cairn.fish
    "$tree/bin/cairn" --version
    bash -n "$tree/share/bash-completion/completions/cairn"
fi

want share/doc/cairn/README.md share/doc/cairn/LICENSE share/doc/cairn/docs/c/first-program.md \
    share/doc/cairn/docs/c/reference/table.md share/doc/cairn/examples/embed.c
if command -v python3 >/dev/null; then
    want share/man/man3/cairn_table_read.3 share/man/man3/cairn-table.3
fi

export PKG_CONFIG_PATH="$tree/lib/pkgconfig"
check() { # the program prints the version of the library it runs with
    test "$("$1")" = "$(pkg-config --modversion cairn)" || { echo "$1 fails"; exit 1; }
    echo "ok: $2"
}
"$cc" "$here/app.c" $(pkg-config --cflags --libs cairn) -Wl,-rpath,"$tree/lib" -o "$prefix/shared"
check "$prefix/shared" "shared library through pkg-config"
# an example of the installed tree, as first-program.md says
(
    cd "$prefix"
    cp "$tree/share/doc/cairn/examples/embed.c" .
    "$cc" embed.c -o embed $(pkg-config --cflags --libs cairn)
    LD_LIBRARY_PATH=$tree/lib ./embed | grep -q 'of 150 rows' || { echo "embed.c fails"; exit 1; }
    echo "ok: an installed example"
)
"$cc" "$here/app.c" $(pkg-config --cflags cairn) "$tree/lib/libcairn.a" \
    $(pkg-config --static --libs-only-l --libs-only-other cairn | sed 's/-lcairn//') \
    -o "$prefix/static"
check "$prefix/static" "static library through pkg-config"
"$cc" "$here/app.c" $(pkg-config --cflags --libs cairn-static) -o "$prefix/static"
check "$prefix/static" "static library through its own pkg-config file"
! ldd "$prefix/static" | grep libcairn || exit 1
# a program that only asks models: the small library, static and shared, and what of it is linked
for form in cairn-predict cairn-predict-static; do
    "$cc" -O2 "$tree/share/doc/cairn/examples/ask.c" $(pkg-config --cflags --libs $form) \
        -Wl,-rpath,"$tree/lib" -s -o "$prefix/ask"
    for answer in setosa,5.1,3.5,1.4,0.2 virginica,5.9,3.0,5.1,1.8; do
        cells=${answer#*,}
        "$prefix/ask" "$here/../models/0.1.0/tree-iris.cairn" $(echo "$cells" | tr , ' ') |
            grep -q "${answer%%,*}" || { echo "ask.c fails with $form"; exit 1; }
    done
    echo "ok: a program that only asks, $form"
done
! ldd "$prefix/ask" | grep libcairn || exit 1
small "$prefix/ask" 1950000
# a program with a BLAS of its own
"$cc" "$here/own_blas.c" $(pkg-config --cflags cairn) "$tree/lib/libcairn.a" \
    $(pkg-config --static --libs-only-l --libs-only-other cairn | sed 's/-lcairn//') \
    -o "$prefix/own"
check "$prefix/own" "static library beside a BLAS of the program's own"

mkdir "$prefix/project"
cp "$here/app.c" "$prefix/project"
cat >"$prefix/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(app LANGUAGES C)
find_package(cairn 0.1 REQUIRED)
add_executable(app app.c)
target_link_libraries(app PRIVATE cairn::cairn)
find_package(cairn 0.1 REQUIRED COMPONENTS static)
add_executable(app-static app.c)
target_link_libraries(app-static PRIVATE cairn::cairn-static)
add_executable(app-predict app.c)
target_link_libraries(app-predict PRIVATE cairn::cairn-predict)
add_executable(app-predict-static app.c)
target_link_libraries(app-predict-static PRIVATE cairn::cairn-predict-static)
END
{
    cmake -S "$prefix/project" -B "$prefix/project/build" -DCMAKE_PREFIX_PATH="$tree" \
        -DCMAKE_C_COMPILER="$cc"
    cmake --build "$prefix/project/build"
} >"$prefix/log" 2>&1 || { cat "$prefix/log"; exit 1; }
check "$prefix/project/build/app" "find_package"
check "$prefix/project/build/app-static" "find_package, static"
check "$prefix/project/build/app-predict" "find_package, what predicting needs"
check "$prefix/project/build/app-predict-static" "find_package, what predicting needs, static"
! ldd "$prefix/project/build/app-static" | grep libcairn || exit 1
